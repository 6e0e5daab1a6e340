//===- Literal.h - arrays written on the command line -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_LITERAL_H
#define RUNG_TOOLS_RUNG_RUN_LITERAL_H

#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"

#include <string_view>

namespace rung::tools {

/// Reads "[[1, 2], [3, 4]]" as an f64 tensor of shape [2, 2], and "7" as one of
/// rank 0. All lists of one depth must be of one length; an error gives the
/// character at which the text goes wrong.
Result<Tensor> parseLiteral(std::string_view text);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_LITERAL_H
