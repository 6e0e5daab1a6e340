//===- VerifySingleDispatch.cpp - refuse what a device can't run ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "passes/lowering/ProfileOption.h"
#include "passes/lowering/SingleDispatch.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_VERIFYSINGLEDISPATCH
#include "passes/lowering/SingleDispatch.h.inc"

namespace {

LogicalResult verifyProgram(tile::ProgramOp program,
                            const tiling::SingleDispatch &asked,
                            const Profile &target) {
  std::string complaint = checkSingleDispatch(target, asked);
  if (!complaint.empty())
    return program.emitOpError(complaint);
  Block &body = program.getBody().front();
  int64_t commands = llvm::count_if(body, [](Operation &op) {
    return isa<tile::DispatchOp, tile::RepeatOp>(op);
  });
  auto dispatches = body.getOps<tile::DispatchOp>();
  if (commands != 1 || dispatches.empty())
    return program.emitOpError("has ")
           << commands << " commands and not the one dispatch of "
           << "tile-fuse-dispatches";
  tile::DispatchOp dispatch = *dispatches.begin();
  int64_t groups = dispatch.getGroupsX().evaluate(1, 1).value_or(0);
  if (groups > asked.groups)
    return dispatch.emitOpError("has ")
           << groups << " workgroups that wait for each other; " << asked.groups
           << " are allowed";
  return success();
}

struct VerifySingleDispatch
    : impl::VerifySingleDispatchBase<VerifySingleDispatch> {
  using VerifySingleDispatchBase::VerifySingleDispatchBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    for (auto program : getOperation().getOps<tile::ProgramOp>()) {
      auto asked = getSingleDispatch(program);
      if (failed(asked) ||
          (*asked && failed(verifyProgram(program, **asked, *target))))
        signalPassFailure();
    }
  }
};

} // namespace
} // namespace rung
