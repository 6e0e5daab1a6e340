//===- SingleDispatch.cpp - programs of one dispatch ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/SingleDispatch.h"

using namespace mlir;

namespace rung {

FailureOr<std::optional<tiling::SingleDispatch>>
getSingleDispatch(Operation *op) {
  Attribute attribute = op->getAttr(kSingleDispatchAttr);
  if (!attribute)
    return std::optional<tiling::SingleDispatch>();
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  tiling::SingleDispatch dispatch;
  for (auto [name, target] :
       {std::pair<StringRef, int64_t *>{"groups", &dispatch.groups},
        {"shared_bytes", &dispatch.sharedBytes}}) {
    auto value =
        dictionary ? dictionary.getAs<IntegerAttr>(name) : IntegerAttr();
    if (!value || value.getInt() <= 0)
      return op->emitOpError("has '")
             << kSingleDispatchAttr << "' without a positive '" << name << "'";
    *target = value.getInt();
  }
  return std::optional<tiling::SingleDispatch>(dispatch);
}

void setSingleDispatch(Operation *op, const tiling::SingleDispatch &dispatch) {
  Builder b(op->getContext());
  op->setAttr(
      kSingleDispatchAttr,
      b.getDictionaryAttr(
          {b.getNamedAttr("groups", b.getI64IntegerAttr(dispatch.groups)),
           b.getNamedAttr("shared_bytes",
                          b.getI64IntegerAttr(dispatch.sharedBytes))}));
}

} // namespace rung
