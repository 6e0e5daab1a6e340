//===- AdvanceRandom.cpp - random states after a sequence -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Kernels.h"
#include "passes/lowering/RowKernel.h"

using namespace mlir;

namespace rung {

LogicalResult lowerAdvanceRandom(ProgramBuilder &p, rnn::AdvanceRandomOp op) {
  int64_t width = ProgramBuilder::rowWidth(op.getRandom());
  RowKernel r(p, op.getLoc(), "advance_random", op.getRandom(), width);
  unsigned steps = r.k.push(tile::PushKind::T);
  unsigned in = r.read(p.bufferOf(op.getRandom())), lengths = 0;
  if (op.getLengths())
    lengths = r.read(p.bufferOf(op.getLengths()));
  unsigned out = r.write(p.bufferOf(op.getResult()));
  r.emit([&](Value row) {
    KernelBuilder &k = r.k;
    auto &b = k.b();
    Value done = k.pushed(steps);
    if (op.getLengths()) {
      Value length = arith::IndexCastOp::create(b, b.getIndexType(),
                                                r.loadOne(lengths, row));
      done = arith::MinSIOp::create(b, k.maximum(length, k.index(0)), done);
    }
    Value base = k.mul(row, width);
    r.forColumns(width, [&](Value c) {
      // Of step and seed, the step grows.
      Value grows = k.select(k.equal(c, k.index(0)), done, k.index(0));
      Value more = arith::IndexCastOp::create(b, b.getI32Type(), grows);
      Value at = k.add(base, c);
      r.store(k.add(r.loadOne(in, at), more), out, at);
    });
  });
  return success();
}

} // namespace rung
