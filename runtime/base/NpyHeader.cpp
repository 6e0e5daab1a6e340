//===- NpyHeader.cpp - the dictionary at the head of .npy -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/NpyHeader.h"

#include "runtime/base/Text.h"

#include <array>
#include <charconv>
#include <utility>

namespace rung {

namespace {
struct TypeCode {
  std::string_view code;
  ScalarType type;
};
constexpr std::array<TypeCode, 9> kTypeCodes = {{{"f4", ScalarType::F32},
                                                 {"f2", ScalarType::F16},
                                                 {"f8", ScalarType::F64},
                                                 {"i4", ScalarType::I32},
                                                 {"i2", ScalarType::I16},
                                                 {"i1", ScalarType::S8},
                                                 {"u1", ScalarType::U8},
                                                 {"i8", ScalarType::I64},
                                                 {"b1", ScalarType::Bool}}};
constexpr size_t kMaxRank = 32; // NumPy's own limit of old.

Status invalid(std::string message) {
  return Status(StatusCode::InvalidData, std::move(message));
}

/// A cursor over the Python literal.
class Parser {
public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Result<NpyHeader> parse();

private:
  void skipSpace() {
    size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }
  bool accept(std::string_view token) {
    skipSpace();
    if (!rest_.starts_with(token))
      return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  Status expect(std::string_view token) {
    if (accept(token))
      return Status::ok();
    return invalid(concat("the .npy header has ", quote(rest_.substr(0, 20)),
                          " where ", quote(token), " is due"));
  }
  Result<std::string_view> parseString();
  Status parseValue(std::string_view key, NpyHeader &header);
  Status parseType(NpyHeader &header);
  Status parseOrder(NpyHeader &header);
  Status parseShape(NpyHeader &header);

  std::string_view rest_;
};

Result<std::string_view> Parser::parseString() {
  skipSpace();
  char mark = rest_.empty() ? '\0' : rest_.front();
  size_t end = mark == '\'' || mark == '"' ? rest_.find(mark, 1)
                                           : std::string_view::npos;
  if (end == std::string_view::npos)
    return invalid(concat("the .npy header has ", quote(rest_.substr(0, 20)),
                          " where a string is due"));
  std::string_view text = rest_.substr(1, end - 1);
  rest_.remove_prefix(end + 1);
  return text;
}

Status Parser::parseType(NpyHeader &header) {
  skipSpace();
  if (rest_.starts_with("["))
    return Status(StatusCode::Unsupported,
                  "the array has a structured type; plain numbers are read");
  RUNG_ASSIGN_OR_RETURN(std::string_view descr, parseString());
  if (!descr.empty() &&
      std::string_view("<>|=").find(descr.front()) != std::string_view::npos) {
    for (const TypeCode &entry : kTypeCodes) {
      if (descr.substr(1) == entry.code) {
        header.type = entry.type;
        header.bigEndian = descr.front() == '>';
        return Status::ok();
      }
    }
  }
  return Status(
      StatusCode::Unsupported,
      concat("type ", quote(descr), " is none of f2 f4 f8 i1 u1 i2 i4 i8 b1"));
}

Status Parser::parseOrder(NpyHeader &header) {
  if (accept("True")) {
    header.fortranOrder = true;
    return Status::ok();
  }
  header.fortranOrder = false;
  return expect("False");
}

Status Parser::parseShape(NpyHeader &header) {
  RUNG_RETURN_IF_ERROR(expect("("));
  header.shape.clear();
  while (!accept(")")) {
    skipSpace();
    uint64_t size = 0;
    auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
    if (error != std::errc())
      return invalid(concat("the .npy header has ", quote(rest_.substr(0, 20)),
                            " where a size is due"));
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    header.shape.push_back(size);
    if (header.shape.size() > kMaxRank)
      return Status(StatusCode::Unsupported,
                    concat("the array has more than ", kMaxRank, " axes"));
    // A trailing comma is needed for one size only.
    if (!accept(",")) {
      RUNG_RETURN_IF_ERROR(expect(")"));
      break;
    }
  }
  return Status::ok();
}

Status Parser::parseValue(std::string_view key, NpyHeader &header) {
  if (key == "descr")
    return parseType(header);
  if (key == "fortran_order")
    return parseOrder(header);
  return parseShape(header);
}

Result<NpyHeader> Parser::parse() {
  constexpr std::array<std::string_view, 3> kKeys = {"descr", "fortran_order",
                                                     "shape"};
  NpyHeader header;
  std::array<bool, 3> seen = {};
  RUNG_RETURN_IF_ERROR(expect("{"));
  while (!accept("}")) {
    RUNG_ASSIGN_OR_RETURN(std::string_view key, parseString());
    size_t index = 0;
    while (index < kKeys.size() && kKeys[index] != key)
      ++index;
    if (index == kKeys.size())
      return invalid(concat("the .npy header has an unknown key ", quote(key)));
    if (std::exchange(seen[index], true))
      return invalid(concat("the .npy header has key ", quote(key), " twice"));
    RUNG_RETURN_IF_ERROR(expect(":"));
    RUNG_RETURN_IF_ERROR(parseValue(key, header));
    if (!accept(",")) {
      RUNG_RETURN_IF_ERROR(expect("}"));
      break;
    }
  }
  for (size_t i = 0; i < kKeys.size(); ++i)
    if (!seen[i])
      return invalid(concat("the .npy header has no key ", quote(kKeys[i])));
  skipSpace();
  if (!rest_.empty())
    return invalid(concat("the .npy header has ", quote(rest_.substr(0, 20)),
                          " behind its end"));
  return header;
}
} // namespace

Result<NpyHeader> parseNpyHeader(std::string_view text) {
  return Parser(text).parse();
}

std::string formatNpyHeader(ScalarType type,
                            const std::vector<uint64_t> &shape) {
  constexpr size_t kPrefix = 10; // Magic, version and length.
  constexpr size_t kAlignment = 64;
  std::string_view code;
  for (const TypeCode &entry : kTypeCodes)
    if (entry.type == type)
      code = entry.code;
  std::string text =
      concat("{'descr': '", byteSize(type) == 1 ? "|" : "<", code,
             "', 'fortran_order': False, 'shape': (", joined(shape),
             shape.size() == 1 ? ",), }" : "), }");
  size_t size = kPrefix + text.size() + 1;
  text.append((kAlignment - size % kAlignment) % kAlignment, ' ');
  return text += '\n';
}

} // namespace rung
