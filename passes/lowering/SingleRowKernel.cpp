//===- SingleRowKernel.cpp - some rows of a run of one row ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/SingleRowKernel.h"

#include "passes/lowering/EmitTiles.h"
#include "passes/lowering/RowKernel.h"

#include "dialects/tile/TileWidths.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace rung {

/// Rows of weights that a subgroup has under way at once.
static constexpr int64_t kRowsUnderWay = 4;
static constexpr int64_t kMostSubgroups = 16;
/// Larger tables are read where they lie.
static constexpr int64_t kSharedEntries = 1024;

SingleRowKernel::SingleRowKernel(ProgramBuilder &p, const SingleRowPlan &plan,
                                 const SingleRowTarget &target,
                                 ArrayRef<Value> rows)
    : p_(p), plan_(plan), target_(target), rows_(rows),
      width_(ProgramBuilder::rowWidth(rows.front())),
      level_(plan.levelOf(rows.front())) {}

LogicalResult SingleRowKernel::emit() {
  for (Value row : rows_)
    if (failed(gather({row}, /*isOperand=*/false)))
      return failure();
  chooseShape();
  auto layout =
      tile::LayoutAttr::get(p_.context(), {1, target_.lanes, 1}, subgroups_,
                            target_.lanes, /*cooperative=*/true);
  k_.emplace(p_, rows_.front().getLoc(), "row", layout);
  // In the order in which they were numbered.
  for (auto [buffer, access] : bound_)
    k_->bind(buffer, access);
  SmallVector<std::pair<Value, unsigned>> outputs;
  for (Value row : rows_)
    outputs.emplace_back(row, k_->bind(p_.bufferOf(row), tile::Access::Write));
  k_->begin();
  thread_ = k_->thread();
  Value lanes = k_->index(target_.lanes);
  lane_ = arith::RemUIOp::create(b(), thread_, lanes);
  subgroup_ = arith::DivUIOp::create(b(), thread_, lanes);
  int64_t each = subgroups_ * elements_;
  first_ = k_->mul(k_->block(gpu::Dimension::x), each);
  loadWeights();
  loadLeaves();
  prepareShared();
  multiply();
  finish(outputs);
  auto one = tile::ExtentAttr::get(p_.context(), int64_t(1));
  k_->dispatch(
      {tile::ExtentAttr::get(p_.context(), llvm::divideCeil(width_, each)), one,
       one});
  return success();
}

//===----------------------------------------------------------------------===//
// What the kernel reads and multiplies
//===----------------------------------------------------------------------===//

/// Rows of earlier kernels, and the function's own.
bool SingleRowKernel::isLoaded(Value value) const {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return true;
  if (!argument && SingleRowPlan::isApart(value.getDefiningOp()))
    return true;
  return plan_.isKept(value) && plan_.levelOf(value) < level_;
}

/// The number of the buffer of a row or a weight, which it gets here.
unsigned SingleRowKernel::bind(Value value, Value buffer) {
  auto [found, isNew] = buffers_.insert({value, bound_.size()});
  if (!isNew)
    return found->second;
  for (auto [i, bound] : llvm::enumerate(bound_))
    if (bound.first == buffer)
      return found->second = i;
  bound_.emplace_back(buffer, tile::Access::Read);
  return found->second;
}

LogicalResult SingleRowKernel::gather(RowPlace place, bool isOperand) {
  if (!gathered_.insert({place, true}).second)
    return success();
  bool loaded = isLoaded(place.value);
  bool weight = !loaded && succeeded(findWeight(place.value));
  if (!isOperand && (loaded || weight))
    leaves_.push_back(place);
  if (weight)
    return bindWeight(place.value);
  if (loaded) {
    bind(place.value, p_.bufferOf(place.value));
    return success();
  }
  if (std::optional<RowPlace> next = renamed(place))
    return gather(*next, isOperand);
  Operation *op = place.value.getDefiningOp();
  if (std::optional<RowDot> dot = dotOf(op))
    return gatherDot(place, *dot);
  if (auto embedding = dyn_cast<rnn::EmbeddingOp>(op))
    if (failed(bindWeight(embedding.getTable())))
      return failure();
  if (auto lookup = dyn_cast<rnn::LookupOp>(op)) {
    Value table = sourceOf(lookup.getTable());
    if (failed(bindWeight(table)))
      return failure();
    int64_t entries = cast<RankedTensorType>(table.getType()).getNumElements();
    int64_t words = entries;
    for (auto [other, count] : tables_)
      words += count;
    // Operands of products take the rest.
    if (!isOperand && entries <= kSharedEntries &&
        words * 16 <= target_.sharedBytes)
      tables_.insert({table, entries});
  }
  for (Value operand : elementOperands(op)) {
    // One id for all of a row.
    int64_t offset = isa<rnn::EmbeddingOp>(op) ? 0 : place.offset;
    if (failed(gather({operand, offset}, isOperand)))
      return failure();
  }
  return success();
}

/// The value behind other names for it.
Value SingleRowKernel::sourceOf(Value value) const {
  RowPlace place{value};
  while (!isLoaded(place.value) && failed(findWeight(place.value))) {
    std::optional<RowPlace> next = renamed(place);
    if (!next)
      break;
    place = *next;
  }
  return place.value;
}

LogicalResult SingleRowKernel::bindWeight(Value weight) {
  if (buffers_.contains(weight))
    return success();
  FailureOr<Value> packed =
      packWhole(p_, p_.function(), weight, getElementTypeOrSelf(weight));
  if (failed(packed))
    return failure();
  bind(weight, *packed);
  return success();
}

LogicalResult SingleRowKernel::gatherDot(RowPlace place, RowDot dot) {
  Value weight = sourceOf(dot.weight), operand = sourceOf(dot.operand);
  if (failed(bindWeight(weight)))
    return failure();
  auto linear = place.value.getDefiningOp<rnn::LinearOp>();
  if (linear && linear.getBias() &&
      failed(gather({linear.getBias(), place.offset}, /*isOperand=*/false)))
    return failure();
  WeightRow row{weight, dot.firstRow + place.offset, dot.depth};
  unsigned number = llvm::find_if(weightRows_,
                                  [&](const WeightRow &known) {
                                    return known.weight == row.weight &&
                                           known.firstRow == row.firstRow;
                                  }) -
                    weightRows_.begin();
  if (number == weightRows_.size())
    weightRows_.push_back(row);
  auto [found, isNew] = operands_.insert({operand, dot.depth});
  unsigned of = std::distance(operands_.begin(), found);
  auto product =
      products_.insert({{number, of}, unsigned(products_.size())}).first;
  dots_[place] = product->second;
  return isNew ? gather({operand}, /*isOperand=*/true) : success();
}

/// Enough workgroups for the device, enough rows under way in each subgroup.
void SingleRowKernel::chooseShape() {
  if (products_.empty()) {
    subgroups_ = 4, elements_ = target_.lanes;
    return;
  }
  int64_t rows = weightRows_.size();
  elements_ = 1;
  while (elements_ * 2 * rows <= kRowsUnderWay &&
         width_ > 4 * elements_ * target_.units * 4)
    elements_ *= 2;
  subgroups_ = std::clamp<int64_t>(
      llvm::PowerOf2Ceil(llvm::divideCeil(width_, elements_ * target_.units)),
      4, kMostSubgroups);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// This subgroup's element \p u; the last one of all past the end.
Value SingleRowKernel::elementOf(int64_t u) {
  Value element = k_->add(k_->add(first_, k_->mul(subgroup_, elements_)), u);
  return arith::MinSIOp::create(b(), element, k_->index(width_ - 1));
}

void SingleRowKernel::loadWeights() {
  for (int64_t u = 0; u < elements_ && !weightRows_.empty(); ++u) {
    Value element = elementOf(u);
    auto &rows = weights_.emplace_back();
    for (const WeightRow &row : weightRows_) {
      SmallVector<Type> units(
          tile::LaneRowOp::unitsOf(row.depth, target_.lanes),
          tile::unitType(p_.context(), tile::kAccessBytes));
      Value at = k_->mul(k_->add(element, row.firstRow), row.depth);
      rows.push_back(Elements(
          tile::LaneRowOp::create(b(), units,
                                  k_->buffer(buffers_.lookup(row.weight)), at,
                                  b().getI64IntegerAttr(row.depth))
              .getResults()));
    }
  }
}

/// What the rows are computed from besides products, while those are.
void SingleRowKernel::loadLeaves() {
  Value within = arith::MinSIOp::create(b(), thread_,
                                        k_->index(subgroups_ * elements_ - 1));
  own_.column = arith::MinSIOp::create(b(), k_->add(first_, within),
                                       k_->index(width_ - 1));
  for (const RowPlace &leaf : leaves_)
    at(leaf, own_);
}

/// Operands of products and tables that are searched, one look after another,
/// come close. All that is on its way from memory is asked for first.
void SingleRowKernel::prepareShared() {
  SmallVector<std::pair<Value, Value>> flights;
  auto fetch = [&](Value value, int64_t width, Value memory) {
    Value zero = k_->index(0), whole = k_->index(width);
    flights.emplace_back(
        emitFetch(*k_, k_->buffer(buffers_.lookup(value)), zero, whole, whole,
                  /*rows=*/1, width, [](Value row) { return row; }),
        memory);
  };
  for (auto [operand, depth] : operands_) {
    operandMemory_.push_back(k_->sharedExactly(1, depth, b().getI8Type()));
    if (isLoaded(operand))
      fetch(operand, depth, operandMemory_.back());
  }
  for (auto [table, entries] : tables_) {
    Value &memory = tableMemory_[table];
    memory = k_->sharedExactly(1, entries, b().getI32Type());
    fetch(table, entries, memory);
  }
  computeOperands();
  for (auto [flight, memory] : flights)
    tile::LandOp::create(b(), flight, memory, k_->index(0), k_->index(0));
  if (!operands_.empty() || !tables_.empty())
    tile::BarrierOp::create(b());
}

/// Those of one depth together, for they have much in common, by threads that
/// the depths before left idle.
void SingleRowKernel::computeOperands() {
  llvm::SmallSetVector<int64_t, 4> depths;
  for (auto [operand, depth] : operands_)
    if (!isLoaded(operand))
      depths.insert(depth);
  int64_t width = tile::kAccessBytes, threads = k_->layout().getThreads();
  int64_t busy = 0;
  for (int64_t depth : depths) {
    Value from = arith::RemUIOp::create(
        b(), k_->add(thread_, threads - busy % threads), k_->index(threads));
    busy += llvm::alignTo(depth / width, target_.lanes);
    auto loop = scf::ForOp::create(b(), from, k_->index(depth / width),
                                   k_->index(threads));
    OpBuilder::InsertionGuard guard(b());
    b().setInsertionPointToStart(loop.getBody());
    Scope scope{k_->mul(loop.getInductionVar(), width), width, {}};
    for (auto [entry, memory] : llvm::zip(operands_, operandMemory_))
      if (entry.second == depth && !isLoaded(entry.first))
        tile::PutOp::create(b(), at({entry.first}, scope), memory, k_->index(0),
                            scope.column);
  }
}

/// All products, and their sums in shared memory: those of an element side by
/// side.
void SingleRowKernel::multiply() {
  if (products_.empty())
    return;
  int64_t count = products_.size();
  sums_ =
      k_->sharedExactly(1, subgroups_ * elements_ * count, b().getI32Type());
  SmallVector<Elements> operands;
  for (auto [entry, memory] : llvm::zip(operands_, operandMemory_)) {
    SmallVector<Type> units(
        tile::LaneRowOp::unitsOf(entry.second, target_.lanes),
        tile::unitType(p_.context(), tile::kAccessBytes));
    operands.push_back(
        Elements(tile::LaneRowOp::create(b(), units, memory, k_->index(0),
                                         b().getI64IntegerAttr(entry.second))
                     .getResults()));
  }
  SmallVector<Value> sums;
  for (int64_t u = 0; u < elements_; ++u)
    for (auto &[pair, number] : products_) {
      Value sum = arith::ConstantOp::create(b(), b().getI32IntegerAttr(0));
      for (auto [weight, operand] :
           llvm::zip_equal(weights_[u][pair.first], operands[pair.second]))
        sum = tile::UnitDotOp::create(b(), b().getI32Type(), sum, weight,
                                      operand);
      sums.push_back(tile::SubgroupSumOp::create(b(), b().getI32Type(), sum));
    }
  auto speaker = scf::IfOp::create(b(), k_->equal(lane_, k_->index(0)));
  {
    OpBuilder::InsertionGuard guard(b());
    b().setInsertionPointToStart(speaker.thenBlock());
    Value own = k_->mul(subgroup_, elements_ * count);
    for (auto [i, sum] : llvm::enumerate(sums))
      tile::PutOp::create(b(), sum, sums_, k_->index(0),
                          k_->add(own, int64_t(i)));
  }
  tile::BarrierOp::create(b());
}

void SingleRowKernel::finish(ArrayRef<std::pair<Value, unsigned>> outputs) {
  Value element = k_->add(first_, thread_);
  Value own = k_->less(thread_, k_->index(subgroups_ * elements_));
  Value there =
      arith::AndIOp::create(b(), own, k_->less(element, k_->index(width_)));
  auto branch = scf::IfOp::create(b(), there);
  OpBuilder::InsertionGuard guard(b());
  b().setInsertionPointToStart(branch.thenBlock());
  for (auto [row, buffer] : outputs)
    tile::WriteOp::create(b(), at({row}, own_), k_->buffer(buffer), element);
}

} // namespace rung
