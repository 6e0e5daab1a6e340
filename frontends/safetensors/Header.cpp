//===- Header.cpp - the table of a safetensors file -----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/safetensors/Header.h"
#include "frontends/Suggest.h"
#include "frontends/safetensors/StrictJson.h"

#include <algorithm>
#include <format>
#include <tuple>

using nlohmann::json;

namespace rung::safetensors {
namespace {

struct DType {
  std::string_view name;
  uint64_t bytes;
};
constexpr DType kDTypes[] = {
    {"F64", 8}, {"F32", 4}, {"F16", 2},  {"BF16", 2},    {"I64", 8},
    {"I32", 4}, {"I16", 2}, {"I8", 1},   {"U64", 8},     {"U32", 4},
    {"U16", 2}, {"U8", 1},  {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};

/// What the header says of a tensor, before it is checked against the file.
struct Entry {
  Tensor tensor;
  uint64_t begin = 0;
  uint64_t end = 0;
};

std::optional<std::vector<uint64_t>> unsignedArray(const json &value) {
  if (!value.is_array())
    return std::nullopt;
  std::vector<uint64_t> numbers;
  for (const json &item : value) {
    if (!item.is_number_unsigned())
      return std::nullopt;
    numbers.push_back(item.get<uint64_t>());
  }
  return numbers;
}

/// A value as the header has it, cut to fit a message.
std::string excerpt(const json &value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

class TableReader {
public:
  TableReader(std::string_view data, const FileDiagnostics &report)
      : data_(data), report_(report) {}

  bool readAll(const json &table);
  std::optional<std::vector<Tensor>> finish();

private:
  bool fail(std::string message) { return report_.error({}, message); }
  bool readMetadata(const json &value);
  bool readEntry(const std::string &name, const json &value);
  bool readShape(const json &value, Entry &entry);
  bool checkSize(Entry &entry);

  std::string_view data_;
  const FileDiagnostics &report_;
  std::vector<Entry> entries_;
};

bool TableReader::readAll(const json &table) {
  bool good = true;
  for (const auto &[name, value] : table.items()) {
    if (name == "__metadata__")
      good &= readMetadata(value);
    else
      good &= readEntry(name, value);
  }
  return good;
}

bool TableReader::readMetadata(const json &value) {
  if (!value.is_object())
    return fail(std::format("'__metadata__' is {}, not an object of strings",
                            excerpt(value)));
  for (const auto &[key, text] : value.items())
    if (!text.is_string())
      return fail(std::format("'__metadata__' key '{}' is {}, not a string",
                              key, excerpt(text)));
  return true;
}

bool TableReader::readEntry(const std::string &name, const json &value) {
  if (!value.is_object())
    return fail(
        std::format("tensor '{}' is {}, not an object", name, excerpt(value)));
  Entry entry;
  entry.tensor.name = name;
  entry.tensor.file = report_.file();
  const std::vector<std::string_view> keys = {"dtype", "shape", "data_offsets"};
  for (const auto &[key, ignored] : value.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      return fail(std::format("tensor '{}' has the unknown key '{}'{}", name,
                              key, didYouMean(key, keys)));
  for (std::string_view key : keys)
    if (!value.contains(key))
      return fail(std::format("tensor '{}' has no '{}'", name, key));

  const json &dtype = value["dtype"];
  if (!dtype.is_string())
    return fail(std::format("tensor '{}' has the dtype {}, not a string", name,
                            excerpt(dtype)));
  entry.tensor.dtype = dtype.get<std::string>();
  if (!readShape(value["shape"], entry))
    return false;

  auto offsets = unsignedArray(value["data_offsets"]);
  if (!offsets || offsets->size() != 2)
    return fail(std::format("tensor '{}' has data_offsets {}, not a begin and "
                            "an end",
                            name, excerpt(value["data_offsets"])));
  entry.begin = (*offsets)[0];
  entry.end = (*offsets)[1];
  if (!checkSize(entry))
    return false;
  entries_.push_back(std::move(entry));
  return true;
}

bool TableReader::readShape(const json &value, Entry &entry) {
  auto shape = unsignedArray(value);
  if (!shape)
    return fail(std::format("tensor '{}' has the shape {}, not an array of "
                            "sizes",
                            entry.tensor.name, excerpt(value)));
  for (uint64_t size : *shape) {
    if (size > static_cast<uint64_t>(INT64_MAX))
      return fail(std::format("tensor '{}' has a dimension of {}, more than "
                              "can be addressed",
                              entry.tensor.name, size));
    entry.tensor.shape.push_back(static_cast<int64_t>(size));
  }
  return true;
}

bool TableReader::checkSize(Entry &entry) {
  const Tensor &tensor = entry.tensor;
  const DType *dtype =
      std::find_if(std::begin(kDTypes), std::end(kDTypes),
                   [&](const DType &d) { return d.name == tensor.dtype; });
  if (dtype == std::end(kDTypes)) {
    std::vector<std::string_view> names;
    for (const DType &known : kDTypes)
      names.push_back(known.name);
    return fail(std::format("tensor '{}' has the unknown dtype '{}'{}",
                            tensor.name, tensor.dtype,
                            didYouMean(tensor.dtype, names)));
  }
  if (entry.begin > entry.end || entry.end > data_.size())
    return fail(std::format(
        "tensor '{}' lies at bytes {} to {} of the {} bytes of data",
        tensor.name, entry.begin, entry.end, data_.size()));
  uint64_t need = dtype->bytes;
  for (int64_t size : tensor.shape)
    if (__builtin_mul_overflow(need, static_cast<uint64_t>(size), &need))
      return fail(std::format("tensor '{}' of shape {} has more bytes than can "
                              "be addressed",
                              tensor.name, shapeText(tensor.shape)));
  if (need != entry.end - entry.begin)
    return fail(std::format(
        "tensor '{}' has {} bytes (data_offsets {} to {}); {} of shape {} "
        "needs {}",
        tensor.name, entry.end - entry.begin, entry.begin, entry.end,
        tensor.dtype, shapeText(tensor.shape), need));
  entry.tensor.data = data_.substr(entry.begin, need);
  return true;
}

std::optional<std::vector<Tensor>> TableReader::finish() {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry &a, const Entry &b) {
              return std::tie(a.begin, a.end, a.tensor.name) <
                     std::tie(b.begin, b.end, b.tensor.name);
            });
  std::vector<Tensor> tensors;
  uint64_t covered = 0;
  for (Entry &entry : entries_) {
    if (entry.begin < covered) {
      fail(std::format("tensor '{}' starts at byte {}, within tensor '{}', "
                       "which ends at byte {}",
                       entry.tensor.name, entry.begin, tensors.back().name,
                       covered));
      return std::nullopt;
    }
    if (entry.begin > covered) {
      fail(std::format("bytes {} to {} before tensor '{}' belong to no tensor",
                       covered, entry.begin, entry.tensor.name));
      return std::nullopt;
    }
    covered = entry.end;
    tensors.push_back(std::move(entry.tensor));
  }
  if (covered != data_.size()) {
    fail(std::format("bytes {} to {} at the end belong to no tensor", covered,
                     data_.size()));
    return std::nullopt;
  }
  return tensors;
}

} // namespace

int64_t Tensor::elementCount() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

std::optional<std::vector<Tensor>> readHeader(std::string_view bytes,
                                              const FileDiagnostics &report) {
  auto fail = [&](std::string message) {
    report.error({}, std::move(message));
    return std::nullopt;
  };
  if (bytes.size() < 8)
    return fail(std::format("file has {} bytes; a safetensors file starts with "
                            "8 bytes of header length",
                            bytes.size()));
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(bytes[i]);
  if (length > kMaxHeaderBytes)
    return fail(std::format("header length {} is over the limit of {} bytes; "
                            "is this a safetensors file?",
                            length, kMaxHeaderBytes));
  if (length > bytes.size() - 8)
    return fail(std::format("header length {} goes beyond the end of the file, "
                            "which has {} bytes; the file is truncated or no "
                            "safetensors file",
                            length, bytes.size()));
  std::string_view text = bytes.substr(8, length);
  if (text.empty() || text[0] != '{')
    return fail("header does not start with '{'");
  std::string error;
  std::optional<json> table = parseStrictJson(text, error);
  if (!table)
    return fail("header: " + error);
  TableReader reader(bytes.substr(8 + length), report);
  if (!reader.readAll(*table))
    return std::nullopt;
  return reader.finish();
}

} // namespace rung::safetensors
