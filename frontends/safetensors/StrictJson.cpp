//===- StrictJson.cpp - JSON without duplicate keys or exceptions ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/safetensors/StrictJson.h"

#include <format>
#include <vector>

using nlohmann::json;

namespace rung::safetensors {
namespace {

constexpr size_t kMaxDepth = 8;

/// Builds a value from the parser's events; every handler returns false to
/// stop the parser.
class Builder final : public nlohmann::json_sax<json> {
public:
  explicit Builder(std::string &error) : error_(error) {}

  json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t &) override {
    return put(value);
  }
  bool string(string_t &value) override { return put(std::move(value)); }
  bool binary(binary_t &) override { return false; }
  bool start_object(size_t) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t &name) override {
    if (open_.back()->contains(name)) {
      error_ = std::format("key '{}' is given twice", name);
      return false;
    }
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t position, const std::string &,
                   const nlohmann::detail::exception &exception) override {
    // The library prefixes "[json.exception…] parse error at …: ".
    std::string_view what = exception.what();
    size_t colon = what.find(": ");
    error_ = std::format(
        "byte {} is not JSON: {}", position,
        colon == std::string_view::npos ? what : what.substr(colon + 2));
    return false;
  }

private:
  json *place(json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array())
      return &open_.back()->emplace_back(std::move(value));
    return &((*open_.back())[key_] = std::move(value));
  }
  bool put(json value) {
    place(std::move(value));
    return true;
  }
  bool open(json value) {
    if (open_.size() == kMaxDepth) {
      error_ = std::format("values are nested deeper than {}", kMaxDepth);
      return false;
    }
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string &error_;
  json root_;
  std::vector<json *> open_;
  std::string key_;
};

} // namespace

std::optional<json> parseStrictJson(std::string_view text, std::string &error) {
  Builder builder(error);
  if (!json::sax_parse(text.begin(), text.end(), &builder))
    return std::nullopt;
  return builder.take();
}

} // namespace rung::safetensors
