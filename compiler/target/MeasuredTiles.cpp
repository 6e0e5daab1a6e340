//===- MeasuredTiles.cpp - what a device was found to prefer --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/target/MeasuredTiles.h"

#include "compiler/target/Target.h"
#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Text.h"

namespace rung {

Result<MeasuredTiles> findMeasuredTiles(const std::string &nameOrPath) {
  MeasuredTiles tiles;
  // The profiles that ship go by the rule.
  if (!nameOrPath.ends_with(".json"))
    return tiles;
  const std::string context = concat("reading ", quotePath(nameOrPath));
  RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(nameOrPath));
  RUNG_ASSIGN_OR_RETURN(nlohmann::json json, parseJson(text).while_(context));
  if (!json.is_object() || !json.contains("tiles"))
    return tiles;
  if (!json["tiles"].is_object())
    return Status(StatusCode::InvalidData, "'tiles' is no object")
        .while_(context);
  for (const auto &[problem, value] : json["tiles"].items())
    if (problem == "candidate" && value.is_number_unsigned())
      tiles.candidate = value.get<int64_t>();
    else if (value.is_string())
      tiles.byProblem[problem] = value.get<std::string>();
    else
      return Status(StatusCode::InvalidData,
                    concat("tiles of ", quote(problem), " are no text"))
          .while_(context);
  return tiles;
}

} // namespace rung
