//===- JsonMembers.h - the members of a JSON object -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_JSONMEMBERS_H
#define RUNG_TOOLS_RUNG_BENCH_JSONMEMBERS_H

#include "runtime/base/Json.h"
#include "runtime/base/Status.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace rung::tools {

/// Reads the members of one JSON object; the first mistake is kept, and a
/// member that nobody asked for is one.
class JsonMembers {
public:
  JsonMembers(const nlohmann::json &json, std::string what)
      : json_(json), what_(std::move(what)) {
    if (!json_.is_object())
      keep(concat(what_, " is no object"));
  }

  const nlohmann::json *find(const char *key, bool needed = false) {
    asked_.push_back(key);
    if (json_.is_object() && json_.contains(key))
      return &json_[key];
    if (needed)
      keep(concat(what_, " has no \"", key, "\""));
    return nullptr;
  }

  void text(const char *key, std::string &to, bool needed = false) {
    const nlohmann::json *value = find(key, needed);
    if (value && value->is_string())
      to = value->get<std::string>();
    else if (value)
      keep(concat("\"", key, "\" of ", what_, " is no text"));
  }

  void number(const char *key, double &to) {
    const nlohmann::json *value = find(key);
    if (value && value->is_number() && std::isfinite(value->get<double>()))
      to = value->get<double>();
    else if (value)
      keep(concat("\"", key, "\" of ", what_, " is no number"));
  }

  template <typename T> void count(const char *key, T &to, T atLeast = 0) {
    if (const nlohmann::json *value = find(key))
      take(*value, key, to, atLeast);
  }

  void counts(const char *key, std::vector<uint32_t> &to) {
    const nlohmann::json *value = find(key);
    if (!value)
      return;
    if (!value->is_array())
      return keep(concat("\"", key, "\" of ", what_, " is no list"));
    to.assign(value->size(), 0);
    for (size_t i = 0; i < to.size(); ++i)
      take<uint32_t>((*value)[i], key, to[i], 0);
  }

  void flag(const char *key, bool &to) {
    const nlohmann::json *value = find(key);
    if (value && value->is_boolean())
      to = value->get<bool>();
    else if (value)
      keep(concat("\"", key, "\" of ", what_, " is neither true nor false"));
  }

  void keep(const std::string &mistake) {
    if (mistake_.empty())
      mistake_ = mistake;
  }

  /// What was wrong first, or that of the keys that nobody asked for.
  Status finish() {
    if (mistake_.empty())
      for (const auto &member : json_.items())
        if (std::ranges::find(asked_, member.key()) == asked_.end())
          keep(concat(what_, " has an unknown key ", quote(member.key())));
    return mistake_.empty() ? Status::ok()
                            : Status(StatusCode::InvalidData, mistake_);
  }

private:
  template <typename T>
  void take(const nlohmann::json &value, const char *key, T &to, T atLeast) {
    if (value.is_number_unsigned() &&
        value.get<uint64_t>() <= std::numeric_limits<T>::max() &&
        value.get<uint64_t>() >= atLeast)
      to = static_cast<T>(value.get<uint64_t>());
    else
      keep(concat("\"", key, "\" of ", what_, " holds ", value.dump(),
                  ", not a count from ", atLeast, " on"));
  }

  const nlohmann::json &json_;
  std::string what_, mistake_;
  std::vector<std::string> asked_;
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_JSONMEMBERS_H
