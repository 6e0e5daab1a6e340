//===- Npy.cpp - NumPy's .npy and .npz files ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Npy.h"

#include "runtime/base/File.h"
#include "runtime/base/NpyHeader.h"
#include "runtime/base/Text.h"
#include "runtime/base/Zip.h"

#include <algorithm>
#include <cstring>

namespace rung {

namespace {
constexpr std::string_view kMagic = "\x93NUMPY";

Status invalid(std::string message) {
  return Status(StatusCode::InvalidData, std::move(message));
}

/// The header's text and where the data begin.
struct Frame {
  std::string_view header;
  size_t dataOffset;
};

Result<Frame> parseFrame(std::span<const std::byte> bytes) {
  auto byte = [&](size_t i) { return std::to_integer<size_t>(bytes[i]); };
  if (bytes.size() < 10 ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    return invalid("the file is not .npy: it does not begin with \\x93NUMPY");
  size_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0)
    return Status(StatusCode::Unsupported,
                  concat(".npy version ", major, ".", minor,
                         " is none of 1.0, 2.0 and 3.0"));
  size_t begin = major == 1 ? 10 : 12;
  if (bytes.size() < begin)
    return invalid("the .npy header is cut off");
  size_t length = byte(8) | byte(9) << 8;
  if (major > 1)
    length |= byte(10) << 16 | byte(11) << 24;
  if (length > bytes.size() - begin)
    return invalid(concat("the .npy header has ", length, " bytes, and only ",
                          bytes.size() - begin, " follow"));
  return Frame{{reinterpret_cast<const char *>(bytes.data()) + begin, length},
               begin + length};
}

/// The bytes that \p header describes; an error if they are no \p available.
Status checkSize(const NpyHeader &header, uint64_t available) {
  uint64_t size = byteSize(header.type);
  for (uint64_t dim : header.shape)
    if (__builtin_mul_overflow(size, dim, &size))
      return invalid(concat("shape (", joined(header.shape),
                            ") exceeds 64 bits of bytes"));
  if (size != available)
    return invalid(concat("shape (", joined(header.shape), ") of ",
                          toString(header.type), " needs ", size,
                          " bytes of data, and the file has ", available));
  return Status::ok();
}

void swapBytes(Tensor &tensor) {
  size_t size = byteSize(tensor.type);
  for (size_t i = 0; i < tensor.data.size(); i += size)
    std::reverse(tensor.data.begin() + i, tensor.data.begin() + i + size);
}

/// Column-major data of the same shape to row-major.
void transposeToC(Tensor &tensor) {
  size_t rank = tensor.shape.size(), size = byteSize(tensor.type);
  uint64_t count = tensor.elementCount();
  std::vector<uint64_t> index(rank), strides(rank);
  uint64_t stride = 1;
  for (size_t d = 0; d < rank; ++d) {
    strides[d] = stride;
    stride *= tensor.shape[d];
  }
  std::vector<std::byte> result(tensor.data.size());
  uint64_t from = 0;
  for (uint64_t to = 0; to < count; ++to) {
    std::memcpy(&result[to * size], &tensor.data[from * size], size);
    for (size_t d = rank; d-- > 0;) {
      from += strides[d];
      if (++index[d] < tensor.shape[d])
        break;
      from -= strides[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
  tensor.data = std::move(result);
}
} // namespace

Result<Tensor> parseNpy(std::span<const std::byte> bytes) {
  RUNG_ASSIGN_OR_RETURN(Frame frame, parseFrame(bytes));
  RUNG_ASSIGN_OR_RETURN(NpyHeader header, parseNpyHeader(frame.header));
  auto data = bytes.subspan(frame.dataOffset);
  RUNG_RETURN_IF_ERROR(checkSize(header, data.size()));
  Tensor tensor{header.type, header.shape, {data.begin(), data.end()}};
  if (header.bigEndian)
    swapBytes(tensor);
  if (header.fortranOrder && header.shape.size() > 1)
    transposeToC(tensor);
  return tensor;
}

Result<Tensor> readNpy(const std::string &path) {
  RUNG_ASSIGN_OR_RETURN(MappedFile file, MappedFile::open(path));
  return parseNpy(file.bytes()).while_("reading " + quotePath(path));
}

std::vector<std::byte> serializeNpy(const Tensor &tensor) {
  if (tensor.type == ScalarType::BF16)
    return serializeNpy(convert(tensor, ScalarType::F32));
  std::string header = formatNpyHeader(tensor.type, tensor.shape);
  std::string text(kMagic);
  text += {'\x01', '\x00', static_cast<char>(header.size() & 0xff),
           static_cast<char>(header.size() >> 8)};
  text += header;
  std::vector<std::byte> bytes(text.size() + tensor.data.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  std::copy(tensor.data.begin(), tensor.data.end(),
            bytes.begin() + text.size());
  return bytes;
}

Status writeNpy(const std::string &path, const Tensor &tensor) {
  return writeFile(path, serializeNpy(tensor));
}

Result<NamedTensors> parseNpz(std::span<const std::byte> bytes) {
  constexpr std::string_view kSuffix = ".npy";
  RUNG_ASSIGN_OR_RETURN(ZipReader zip, ZipReader::parse(bytes));
  NamedTensors tensors;
  for (const ZipEntry &entry : zip.entries()) {
    std::string context = "reading member " + quote(entry.name);
    if (!entry.name.ends_with(kSuffix))
      return invalid("the member's name does not end in .npy").while_(context);
    RUNG_ASSIGN_OR_RETURN(auto member, zip.extract(entry).while_(context));
    RUNG_ASSIGN_OR_RETURN(auto tensor, parseNpy(member).while_(context));
    tensors.emplace_back(
        entry.name.substr(0, entry.name.size() - kSuffix.size()),
        std::move(tensor));
  }
  return tensors;
}

Result<NamedTensors> readNpz(const std::string &path) {
  RUNG_ASSIGN_OR_RETURN(MappedFile file, MappedFile::open(path));
  return parseNpz(file.bytes()).while_("reading " + quotePath(path));
}

Status writeNpz(const std::string &path, const NamedTensors &tensors,
                bool compress) {
  ZipWriter zip;
  for (const auto &[name, tensor] : tensors)
    RUNG_RETURN_IF_ERROR(zip.add(name + ".npy", serializeNpy(tensor), compress)
                             .while_("writing " + quotePath(path)));
  RUNG_ASSIGN_OR_RETURN(auto bytes,
                        zip.finish().while_("writing " + quotePath(path)));
  return writeFile(path, bytes);
}

} // namespace rung
