//===- CellPlan.cpp - what of a body can be computed apart ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/CellBody.h"

#include <algorithm>
#include <map>

namespace rung::reference {

double CellBody::operations() const {
  double count = 0;
  for (uint32_t index : each_) {
    const Instruction &instruction = instructions_[index];
    count += double(sizes_[instruction.result]);
    if (instruction.kind == Instruction::kDot)
      count += 2 * double(sizes_[instruction.operands[1]]);
  }
  return count;
}

// The columns of one head hang together where there are products; all do where
// a value is not a row of N, or a product is not square.
int64_t CellBody::findGroup() const {
  int64_t group = 1;
  for (uint32_t i = 0; i < instructions_.size(); ++i) {
    const Instruction &instruction = instructions_[i];
    if (!varies_[instruction.result])
      continue;
    if (dims_[instruction.result] != Dims{width_})
      return width_;
    if (instruction.kind == Instruction::kSlice &&
        std::find(each_.begin(), each_.end(), i) != each_.end())
      return width_;
    if (instruction.kind != Instruction::kDot)
      continue;
    const Dims &matrix = dims_[instruction.operands[1]];
    if (matrix[1] != matrix[2] || (group != 1 && group != matrix[1]))
      return width_;
    group = matrix[1];
  }
  bool rows = std::all_of(yields_.begin(), yields_.end(), [&](uint32_t value) {
    return dims_[value] == Dims{width_};
  });
  return rows ? group : width_;
}

// A value's memory is free for others after its last use.
void CellBody::planSlots() {
  constexpr uint32_t kNone = ~0u;
  slots_.assign(dims_.size(), kNone);
  std::vector<size_t> lastUse(dims_.size(), 0);
  for (size_t i = 0; i < each_.size(); ++i)
    for (uint32_t operand : instructions_[each_[i]].operands)
      lastUse[operand] = i;
  for (uint32_t yield : yields_)
    lastUse[yield] = each_.size();
  std::multimap<int64_t, uint32_t> unused; // by size
  for (size_t i = 0; i < each_.size(); ++i) {
    const Instruction &instruction = instructions_[each_[i]];
    int64_t size = sizes_[instruction.result];
    auto found = unused.find(size);
    if (found != unused.end()) {
      slots_[instruction.result] = found->second;
      unused.erase(found);
    } else {
      slots_[instruction.result] = static_cast<uint32_t>(slotSizes_.size());
      slotSizes_.push_back(size);
    }
    // An operand may occur twice; its memory is freed once.
    std::vector<uint32_t> done = instruction.operands;
    done.push_back(instruction.result); // which nobody may use
    std::sort(done.begin(), done.end());
    done.erase(std::unique(done.begin(), done.end()), done.end());
    for (uint32_t value : done)
      if (slots_[value] != kNone && lastUse[value] <= i)
        unused.emplace(sizes_[value], slots_[value]);
  }
}

} // namespace rung::reference
