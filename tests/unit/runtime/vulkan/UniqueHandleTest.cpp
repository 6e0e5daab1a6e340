//===- UniqueHandleTest.cpp - one owner for every handle --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/UniqueHandle.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace rung {

namespace {

/// Writes down what is destroyed.
struct Recorder {
  std::vector<int> *destroyed = nullptr;
  void operator()(int handle) const { destroyed->push_back(handle); }
};
using Handle = UniqueHandle<int, Recorder>;
using Destroyed = std::vector<int>;

TEST(UniqueHandleTest, DestroysAtTheEndOfItsScope) {
  Destroyed destroyed;
  {
    Handle handle(7, {&destroyed});
    EXPECT_EQ(handle.get(), 7);
    EXPECT_TRUE(handle);
    EXPECT_EQ(destroyed, Destroyed());
  }
  EXPECT_EQ(destroyed, Destroyed({7}));
}

TEST(UniqueHandleTest, DestroysOnceAfterMove) {
  Destroyed destroyed;
  {
    Handle first(7, {&destroyed});
    Handle second(std::move(first));
    EXPECT_FALSE(first);
    EXPECT_EQ(second.get(), 7);
  }
  EXPECT_EQ(destroyed, Destroyed({7}));
}

TEST(UniqueHandleTest, DestroysTheOldHandleWhenAnotherMovesIn) {
  Destroyed destroyed, others;
  Handle handle(1, {&destroyed});
  handle = Handle(2, {&others});
  EXPECT_EQ(destroyed, Destroyed({1}));
  handle.reset();
  EXPECT_EQ(others, Destroyed({2})) << "the deleter moves with its handle";
}

TEST(UniqueHandleTest, SurvivesBeingMovedToItself) {
  Destroyed destroyed;
  Handle handle(7, {&destroyed});
  Handle &alias = handle;
  handle = std::move(alias);
  EXPECT_EQ(handle.get(), 7);
  EXPECT_EQ(destroyed, Destroyed());
}

TEST(UniqueHandleTest, ResetsOnce) {
  Destroyed destroyed;
  Handle handle(7, {&destroyed});
  handle.reset();
  handle.reset();
  EXPECT_FALSE(handle);
  EXPECT_EQ(destroyed, Destroyed({7}));
}

TEST(UniqueHandleTest, ReleasesWithoutDestroying) {
  Destroyed destroyed;
  {
    Handle handle(7, {&destroyed});
    EXPECT_EQ(handle.release(), 7);
    EXPECT_FALSE(handle);
  }
  EXPECT_EQ(destroyed, Destroyed());
}

TEST(UniqueHandleTest, DestroysNothingWhenEmpty) {
  Destroyed destroyed;
  {
    Handle null(0, {&destroyed});
    Handle none;
    EXPECT_FALSE(null);
    EXPECT_FALSE(none);
  }
  EXPECT_EQ(destroyed, Destroyed());
}

TEST(UniqueHandleTest, DestroysMembersInReverseOrderOfCreation) {
  Destroyed destroyed;
  {
    Handle device(1, {&destroyed});
    Handle buffer(2, {&destroyed});
  }
  EXPECT_EQ(destroyed, Destroyed({2, 1}));
}

static_assert(!std::is_copy_constructible_v<Handle> &&
              !std::is_copy_assignable_v<Handle> &&
              std::is_nothrow_move_constructible_v<Handle> &&
              std::is_nothrow_move_assignable_v<Handle>);

} // namespace

} // namespace rung
