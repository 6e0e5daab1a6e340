//===- Layout.h - which element belongs to whom ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The mathematics of spreading blocks over threads and subgroups, free of IR.
//
//===----------------------------------------------------------------------===//

#ifndef RUNG_COMPILER_TILING_LAYOUT_H
#define RUNG_COMPILER_TILING_LAYOUT_H

#include <cassert>
#include <cstdint>

namespace rung::tiling {

/// A place in a block.
struct Position {
  int64_t row = 0;
  int64_t column = 0;
  bool operator==(const Position &) const = default;
};

/// A block of rows x columns elements dealt out to `owners` one at a time, row
/// after row: element e of owner o has the flat index e * owners + o.
///
///     2 x 4 over 4 owners      2 x 4 over 2 owners     2 x 4 over 8
///       o0 o1 o2 o3  e = 0       o0 o1 o0 o1  e = 0,1    o0 o1 o2 o3
///       o0 o1 o2 o3  e = 1       o0 o1 o0 o1  e = 2,3    o4 o5 o6 o7
class LinearSpread {
public:
  LinearSpread(int64_t rows, int64_t columns, int64_t owners)
      : rows_(rows), columns_(columns), owners_(owners) {
    assert(rows > 0 && columns > 0 && owners > 0);
  }

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  int64_t owners() const { return owners_; }
  int64_t size() const { return rows_ * columns_; }

  /// The most elements that an owner has.
  int64_t perOwner() const { return (size() + owners_ - 1) / owners_; }
  /// True when every owner has an element number `element`.
  bool isFull(int64_t element) const {
    return (element + 1) * owners_ <= size();
  }
  bool isEven() const { return size() % owners_ == 0; }

  int64_t flat(int64_t owner, int64_t element) const {
    return element * owners_ + owner;
  }
  Position position(int64_t owner, int64_t element) const {
    int64_t index = flat(owner, element);
    return {index / columns_, index % columns_};
  }

  /// True when a position is the sum of a part that depends on the owner alone
  /// and one that depends on the element alone.
  bool isSeparable() const {
    return owners_ % columns_ == 0 || columns_ % owners_ == 0;
  }
  /// The two parts; only for a separable spread.
  Position ownerPart(int64_t owner) const {
    return {owner / columns_, owner % columns_};
  }
  Position elementPart(int64_t element) const {
    assert(isSeparable());
    return {element * owners_ / columns_, element * owners_ % columns_};
  }

private:
  int64_t rows_, columns_, owners_;
};

/// The column blocks of a matrix dealt out to subgroups in turn, or its row
/// blocks to rows of subgroups: local block q of subgroup s is block
/// s + q * subgroups.
class BlockSpread {
public:
  BlockSpread(int64_t columnBlocks, int64_t subgroups)
      : columnBlocks_(columnBlocks), subgroups_(subgroups) {
    assert(subgroups > 0 && columnBlocks % subgroups == 0);
  }

  int64_t perSubgroup() const { return columnBlocks_ / subgroups_; }
  int64_t columnBlock(int64_t subgroup, int64_t local) const {
    return subgroup + local * subgroups_;
  }
  int64_t subgroupOf(int64_t columnBlock) const {
    return columnBlock % subgroups_;
  }
  int64_t localOf(int64_t columnBlock) const {
    return columnBlock / subgroups_;
  }

private:
  int64_t columnBlocks_, subgroups_;
};

} // namespace rung::tiling

#endif // RUNG_COMPILER_TILING_LAYOUT_H
