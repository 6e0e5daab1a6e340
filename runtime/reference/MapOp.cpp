//===- MapOp.cpp - a function of each element of a tensor -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/CellFrame.h"
#include "runtime/reference/Kernel.h"
#include "runtime/reference/Parallel.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace rung::reference {
namespace {

/// Operand groups, in their order.
enum Group { kInputs, kWeights, kGroupCount };

struct Map {
  NodeView node;
  std::vector<uint32_t> sizes; // of the operand groups
  CellBody body;

  static Result<Map> make(const NodeView &node);
  Result<std::vector<Tensor>> run(Operands operands) const;

private:
  Status checkShapes(Operands operands) const;
};

Result<Map> Map::make(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"operand_segments"}));
  RUNG_ASSIGN_OR_RETURN(std::vector<uint32_t> sizes,
                        node.segments(kGroupCount));
  if (sizes[kInputs] == 0)
    return node.invalid("has no inputs");
  // A device rounds each result of f32. What it computes here can decide an
  // integer, so that being near is not enough.
  RUNG_ASSIGN_OR_RETURN(
      CellBody body,
      CellBody::make(node, {sizes[kInputs], sizes[kWeights], 0}, F32::Rounded));
  RUNG_RETURN_IF_ERROR(node.expectResults(body.yieldCount()));
  if (body.takesRandom())
    return node.invalid("has a body that draws random bits; only those of "
                        "recurrences do");
  Dims row = {body.width()};
  for (uint32_t i = 0; i < sizes[kInputs]; ++i)
    if (body.argumentDims(i) != row)
      return node.invalid(concat("argument ", i, " of its body has shape ",
                                 toString(body.argumentDims(i)), " instead of ",
                                 toString(row)));
  for (uint32_t i = 0; i < body.yieldCount(); ++i)
    if (body.yieldDims(i) != row)
      return node.invalid(
          concat("value ", i, " that its body yields has shape ",
                 toString(body.yieldDims(i)), " instead of ", toString(row)));
  return Map{node, std::move(sizes), std::move(body)};
}

Status Map::checkShapes(Operands operands) const {
  const Dims &dims = operands[0]->dims;
  if (dims.empty() || dims.back() != body.width())
    return node.invalid(concat("input 0 has shape ", toString(dims),
                               " for a body of width ", body.width()));
  for (uint32_t i = 0; i < body.argumentCount(); ++i) {
    std::string what = concat("operand ", i);
    RUNG_RETURN_IF_ERROR(
        expectShape(node, what, *operands[i],
                    i < sizes[kInputs] ? dims : body.argumentDims(i)));
    RUNG_RETURN_IF_ERROR(
        expectElement(node, what, *operands[i], body.argumentElement(i)));
  }
  return Status::ok();
}

Result<std::vector<Tensor>> Map::run(Operands operands) const {
  RUNG_RETURN_IF_ERROR(checkShapes(operands));
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < body.yieldCount(); ++i)
    results.push_back(Tensor::zeros(node.resultElement(i), operands[0]->dims));
  CellWeights shared(body, {sizes[kInputs], sizes[kWeights], 0},
                     operands.subspan(sizes[kInputs]));
  // A task takes some columns of some rows.
  constexpr int64_t kRows = 256;
  int64_t rows = operands[0]->rows();
  int64_t columns = columnsOfAFrame(body);
  int64_t frames = (body.width() + columns - 1) / columns;
  auto task = [&](int64_t index) {
    int64_t first = index / frames * kRows, begin = index % frames * columns;
    CellFrame frame(body, shared, begin,
                    std::min(columns, body.width() - begin));
    for (int64_t row = first; row < std::min(first + kRows, rows); ++row) {
      for (uint32_t i = 0; i < sizes[kInputs]; ++i)
        frame.setArgument(i, operands[i]->row(row));
      frame.run({});
      for (uint32_t i = 0; i < body.yieldCount(); ++i)
        std::copy_n(frame.yielded(i), frame.countOf(body.width()),
                    results[i].row(row) + begin);
    }
  };
  parallelFor((rows + kRows - 1) / kRows * frames,
              double(rows) * body.operations(), task);
  return results;
}

} // namespace

Result<Kernel> makeMapKernel(const NodeView &node, const Interpretation &) {
  if (node.op() != "rnn.map")
    return Kernel();
  RUNG_ASSIGN_OR_RETURN(Map op, Map::make(node));
  auto shared = std::make_shared<const Map>(std::move(op));
  return Kernel([shared](Operands operands) { return shared->run(operands); });
}

} // namespace rung::reference
