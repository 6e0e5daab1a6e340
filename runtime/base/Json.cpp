//===- Json.cpp - JSON without exceptions ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Json.h"

#include "runtime/base/Text.h"

#include <algorithm>

namespace rung {

namespace {
/// Accepts everything and keeps the place of the first syntax error.
struct ErrorFinder : nlohmann::json_sax<nlohmann::json> {
  size_t position = 0;
  std::string token;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t &) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t where, const std::string &last,
                   const nlohmann::json::exception &) override {
    position = where;
    token = last;
    return false;
  }
};

/// How deep arrays and objects may nest: each level costs stack when a value
/// is destroyed.
constexpr int kDeepest = 100;

/// The offset of the first bracket that is too deep, or npos.
size_t findTooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest)
        return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::string_view::npos;
}

std::string lineAndColumn(std::string_view text, size_t offset) {
  std::string_view before = text.substr(0, offset);
  auto line = std::count(before.begin(), before.end(), '\n') + 1;
  size_t start = before.rfind('\n');
  size_t column = start == std::string_view::npos ? offset + 1 : offset - start;
  return concat("line ", line, ", column ", column);
}
} // namespace

Result<nlohmann::json> parseJson(std::string_view text) {
  if (size_t deep = findTooDeep(text); deep != std::string_view::npos)
    return Status(StatusCode::InvalidData,
                  concat("JSON nests deeper than ", kDeepest, " levels at ",
                         lineAndColumn(text, deep)));
  auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_discarded())
    return json;
  ErrorFinder finder;
  nlohmann::json::sax_parse(text, &finder);
  size_t offset = finder.position == 0 ? 0 : finder.position - 1;
  offset = std::min(offset, text.size());
  if (offset >= text.size())
    return Status(
        StatusCode::InvalidData,
        concat("JSON ends too early, at ", lineAndColumn(text, text.size())));
  return Status(StatusCode::InvalidData,
                concat("JSON has a syntax error at ",
                       lineAndColumn(text, offset), ", near ",
                       quote(finder.token)));
}

std::string formatJson(const nlohmann::ordered_json &json) {
  return json.dump(/*indent=*/2, /*indent_char=*/' ', /*ensure_ascii=*/false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

} // namespace rung
