//===- ExpandFma.cpp - multiply-adds by exact products --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/HalfScalar.h"
#include "passes/lowering/Lowering.h"
#include "passes/lowering/ProfileOption.h"

#include "dialects/tile/TileOps.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_EXPANDFMA
#include "passes/lowering/Lowering.h.inc"

namespace {

/// Rounded once, or, where one allows that, twice.
Value expand(ImplicitLocOpBuilder &b, math::FmaOp op) {
  using arith::FastMathFlags;
  if (!bitEnumContainsAny(op.getFastmath(), FastMathFlags::contract))
    return emitMultiplyAdd(b, op.getA(), op.getB(), op.getC());
  Value product = arith::MulFOp::create(b, op.getA(), op.getB());
  return arith::AddFOp::create(b, product, op.getC());
}

struct ExpandFma : impl::ExpandFmaBase<ExpandFma> {
  using ExpandFmaBase::ExpandFmaBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    if (target->float16.fusedMultiplyAdd)
      return;
    SmallVector<math::FmaOp> found;
    for (auto kernel : getOperation().getOps<tile::KernelOp>())
      kernel.walk([&](math::FmaOp op) {
        if (op.getType().isF16())
          found.push_back(op);
      });
    for (math::FmaOp op : found) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      op.replaceAllUsesWith(expand(b, op));
      op.erase();
    }
  }
};

} // namespace
} // namespace rung
