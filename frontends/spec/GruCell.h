//===- GruCell.h - the cell whose weights are being loaded ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_GRUCELL_H
#define RUNG_FRONTENDS_SPEC_GRUCELL_H

#include "frontends/spec/GruWeights.h"

namespace rung::spec {

/// One layer and direction of a stack.
struct GruWeightLoader::Cell {
  int64_t index = 0;
  bool reverse = false;
  int64_t inputWidth = 0;
  mlir::Location location;
  /// Whether the name itself tells layers and directions apart, so that it
  /// needs no marks.
  bool nameTellsLayer = false;
  bool nameTellsDirection = false;
};

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_GRUCELL_H
