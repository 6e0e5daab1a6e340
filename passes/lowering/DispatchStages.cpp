//===- DispatchStages.cpp - what of a program can run together ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/DispatchStages.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

using namespace mlir;

namespace rung::tile {

namespace {

/// What commands read and write.
struct Footprint {
  llvm::SmallPtrSet<Value, 16> read, written;

  void add(const Part &part) {
    for (auto [i, buffer] :
         llvm::enumerate(DispatchOp(part.dispatch).getBuffers())) {
      Access access = KernelOp(part.kernel).getBufferAccess(i);
      if (access != Access::Write)
        read.insert(buffer);
      if (access != Access::Read)
        written.insert(buffer);
    }
  }

  /// Whether commands of this must be done before those of \p later.
  bool precedes(const Footprint &later) const {
    return llvm::any_of(written,
                        [&](Value buffer) {
                          return later.read.contains(buffer) ||
                                 later.written.contains(buffer);
                        }) ||
           llvm::any_of(read, [&](Value buffer) {
             return later.written.contains(buffer);
           });
  }
};

/// Puts commands that come in order into the earliest levels.
class Levels {
public:
  /// The level of the next command.
  unsigned place(const Footprint &footprint) {
    unsigned level = 0;
    for (auto &[earlier, itsLevel] : placed_)
      if (itsLevel >= level && earlier.precedes(footprint))
        level = itsLevel + 1;
    placed_.emplace_back(footprint, level);
    return level;
  }

private:
  std::vector<std::pair<Footprint, unsigned>> placed_;
};

class Scheduler {
public:
  explicit Scheduler(const SymbolTable &kernels) : kernels_(kernels) {}

  FailureOr<SmallVector<Stage>> run(ProgramOp program) {
    Levels levels;
    SmallVector<Stage> stages;
    auto stageOf = [&](const Footprint &footprint) -> Stage & {
      unsigned level = levels.place(footprint);
      if (level >= stages.size())
        stages.resize(level + 1);
      return stages[level];
    };
    for (Operation &op : program.getBody().front()) {
      Footprint footprint;
      if (auto dispatch = dyn_cast<DispatchOp>(op)) {
        FailureOr<Part> part = partOf(dispatch);
        if (failed(part))
          return failure();
        footprint.add(*part);
        stageOf(footprint).parts.push_back(*part);
      } else if (auto repeat = dyn_cast<RepeatOp>(op)) {
        FailureOr<SmallVector<Level>> body = levelsOf(repeat, footprint);
        if (failed(body))
          return failure();
        stageOf(footprint).repeats.push_back(std::move(*body));
      }
    }
    return stages;
  }

private:
  FailureOr<Part> partOf(DispatchOp dispatch) {
    if (auto kernel = kernels_.lookup<KernelOp>(dispatch.getKernel()))
      return Part{dispatch, kernel};
    return dispatch.emitOpError("runs '")
           << dispatch.getKernel() << "', which is no tile.kernel any more";
  }

  FailureOr<SmallVector<Level>> levelsOf(RepeatOp repeat, Footprint &whole) {
    if (repeat.getCount() != Symbol::T)
      return repeat.emitOpError("repeats ")
             << stringifySymbol(repeat.getCount())
             << " times; only repeats over time become loops of a kernel";
    Levels levels;
    SmallVector<Level> result;
    for (auto dispatch : repeat.getBody().getOps<DispatchOp>()) {
      FailureOr<Part> part = partOf(dispatch);
      if (failed(part))
        return failure();
      whole.add(*part);
      Footprint footprint;
      footprint.add(*part);
      unsigned level = levels.place(footprint);
      if (level >= result.size())
        result.resize(level + 1);
      result[level].push_back(*part);
    }
    return result;
  }

  const SymbolTable &kernels_;
};

} // namespace

FailureOr<SmallVector<Stage>> scheduleStages(ProgramOp program,
                                             const SymbolTable &kernels) {
  return Scheduler(kernels).run(program);
}

} // namespace rung::tile
