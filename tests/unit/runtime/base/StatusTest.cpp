//===- StatusTest.cpp - errors as values ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Status.h"

#include <gtest/gtest.h>

#include <memory>

using namespace rung;

TEST(Status, GathersContext) {
  EXPECT_EQ(
      Status(StatusCode::NotFound, "bundle 'a.rkb' does not exist")
          .while_("opening a.rkb")
          .while_("running model gru64")
          .message(),
      "bundle 'a.rkb' does not exist\n  while opening a.rkb\n  while running "
      "model gru64");
}

TEST(Status, KeepsItsCodeOnTheWayUp) {
  Status status = Status(StatusCode::Device, "lost").while_("waiting");
  EXPECT_FALSE(status.isOk());
  EXPECT_EQ(status.code(), StatusCode::Device);
  EXPECT_EQ(toString(status.code()), "Device");
}

TEST(Status, LeavesSuccessWithoutContext) {
  Status status = Status::ok().while_("doing nothing");
  EXPECT_TRUE(status.isOk());
  EXPECT_EQ(status.code(), StatusCode::Ok);
  EXPECT_EQ(status.message(), "");
}

TEST(Status, CopiesAreIndependent) {
  Status first(StatusCode::Io, "disk");
  Status second = first.while_("writing");
  EXPECT_EQ(first.message(), "disk");
  first = second;
  EXPECT_EQ(first.message(), "disk\n  while writing");
}

namespace {
Result<int> half(int value) {
  if (value % 2)
    return Status(StatusCode::InvalidArgument, "odd");
  return value / 2;
}
Result<int> quarter(int value) {
  RUNG_ASSIGN_OR_RETURN(int once, half(value));
  RUNG_ASSIGN_OR_RETURN(int twice, half(once).while_("halving again"));
  return twice;
}
Status checkEven(int value) {
  RUNG_RETURN_IF_ERROR(half(value).status().while_("checking"));
  return Status::ok();
}
} // namespace

TEST(Result, HoldsAValue) {
  Result<int> result = quarter(12);
  ASSERT_TRUE(result.isOk());
  EXPECT_EQ(*result, 3);
  EXPECT_TRUE(result.status().isOk());
}

TEST(Result, HandsAnErrorOn) {
  Result<int> result = quarter(6);
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.takeStatus().message(), "odd\n  while halving again");
  EXPECT_EQ(checkEven(3).message(), "odd\n  while checking");
  EXPECT_TRUE(checkEven(4).isOk());
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 7);
}
