//===- StrictJson.h - JSON without duplicate keys or exceptions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SAFETENSORS_STRICTJSON_H
#define RUNG_FRONTENDS_SAFETENSORS_STRICTJSON_H

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace rung::safetensors {

/// Parses `text`. Refuses what nlohmann::json accepts silently: a key given
/// twice, and more than eight levels of nesting. On failure `error` says what
/// is wrong and at which byte.
std::optional<nlohmann::json> parseStrictJson(std::string_view text,
                                              std::string &error);

} // namespace rung::safetensors

#endif // RUNG_FRONTENDS_SAFETENSORS_STRICTJSON_H
