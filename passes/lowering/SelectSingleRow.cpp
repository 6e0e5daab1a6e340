//===- SelectSingleRow.cpp - functions with a program for one row ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/ProfileOption.h"
#include "passes/lowering/SingleRow.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_SELECTSINGLEROW
#include "passes/lowering/SingleRow.h.inc"

namespace {

struct SelectSingleRow : impl::SelectSingleRowBase<SelectSingleRow> {
  using SelectSingleRowBase::SelectSingleRowBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    for (Feature feature :
         {Feature::IntegerDot, Feature::SubgroupArithmetic, Feature::Int8,
          Feature::Storage8, Feature::SubgroupSizeControl})
      if (!target->has(feature))
        return;
    if (target->subgroupSize == 0 || target->computeUnits == 0)
      return;
    SingleRowTarget row{target->subgroupSize, target->computeUnits,
                        target->sharedMemoryBytes};
    Builder b(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (hasSingleRow(function, row))
        function->setAttr(
            kSingleRowAttr,
            b.getDictionaryAttr(
                {b.getNamedAttr("lanes", b.getI64IntegerAttr(row.lanes)),
                 b.getNamedAttr("units", b.getI64IntegerAttr(row.units)),
                 b.getNamedAttr("shared_bytes",
                                b.getI64IntegerAttr(row.sharedBytes))}));
  }
};

} // namespace

std::optional<SingleRowTarget> getSingleRow(func::FuncOp function) {
  auto row = function->getAttrOfType<DictionaryAttr>(kSingleRowAttr);
  if (!row)
    return std::nullopt;
  SingleRowTarget target;
  for (auto [name, value] :
       {std::pair<StringRef, int64_t *>{"lanes", &target.lanes},
        {"units", &target.units},
        {"shared_bytes", &target.sharedBytes}})
    if (auto number = row.getAs<IntegerAttr>(name))
      *value = number.getInt();
  return target;
}

} // namespace rung
