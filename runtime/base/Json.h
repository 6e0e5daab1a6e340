//===- Json.h - JSON without exceptions -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_JSON_H
#define RUNG_RUNTIME_BASE_JSON_H

#include "runtime/base/Status.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace rung {

/// Parses \p text; an error gives line and column. Of equal keys the last wins.
Result<nlohmann::json> parseJson(std::string_view text);

/// Indented by two, newline at the end; bytes that are no UTF-8 become U+FFFD.
std::string formatJson(const nlohmann::ordered_json &json);

} // namespace rung

#endif // RUNG_RUNTIME_BASE_JSON_H
