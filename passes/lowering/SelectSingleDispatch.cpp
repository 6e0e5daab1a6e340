//===- SelectSingleDispatch.cpp - functions that run in one dispatch ------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/MarkFunctions.h"
#include "passes/lowering/ProfileOption.h"
#include "passes/lowering/SingleDispatch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_REQUESTSINGLEDISPATCH
#define GEN_PASS_DEF_SELECTSINGLEDISPATCH
#include "passes/lowering/SingleDispatch.h.inc"

namespace {

struct RequestSingleDispatch
    : impl::RequestSingleDispatchBase<RequestSingleDispatch> {
  using RequestSingleDispatchBase::RequestSingleDispatchBase;

  void runOnOperation() override {
    if (failed(markFunctions(getOperation(), function, kSingleDispatchAttr)))
      signalPassFailure();
  }
};

struct SelectSingleDispatch
    : impl::SelectSingleDispatchBase<SelectSingleDispatch> {
  using SelectSingleDispatchBase::SelectSingleDispatchBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    tiling::SingleDispatch most = tiling::chooseSingleDispatch(*target);
    std::string complaint = checkSingleDispatch(*target, most);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // What an author pinned is verified later.
      if (!isa_and_present<UnitAttr>(function->getAttr(kSingleDispatchAttr)))
        continue;
      if (complaint.empty()) {
        setSingleDispatch(function, most);
        continue;
      }
      function->removeAttr(kSingleDispatchAttr);
      function.emitRemark("function '")
          << function.getSymName()
          << "' runs in several dispatches: " << complaint;
    }
  }
};

} // namespace
} // namespace rung
