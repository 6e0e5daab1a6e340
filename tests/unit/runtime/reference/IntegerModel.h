//===- IntegerModel.h - a small model in integers ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_REFERENCE_INTEGERMODEL_H
#define RUNG_TESTS_UNIT_RUNTIME_REFERENCE_INTEGERMODEL_H

#include "tests/unit/support/ModelBuilder.h"

namespace rung::test {

/// x quantized, multiplied, and through a recurrence that draws random bits to
/// a norm: an operation of each kind that the integer rungs have.
ModelBuilder integerModel();

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_RUNTIME_REFERENCE_INTEGERMODEL_H
