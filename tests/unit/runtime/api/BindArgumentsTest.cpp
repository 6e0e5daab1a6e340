//===- BindArgumentsTest.cpp - a caller's tensors, checked ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/BindArguments.h"

#include <gtest/gtest.h>

#include <limits>

namespace rung::test {

namespace {

/// ids [T, B], x [T, B, 3], lengths [B], state h [B, 4].
FunctionInfo function() {
  FunctionInfo info = {.name = "f"};
  info.inputs = {
      {.name = "ids", .dtype = RUNG_I32, .dims = {RUNG_DIM_T, RUNG_DIM_B}},
      {.name = "x", .dtype = RUNG_F32, .dims = {RUNG_DIM_T, RUNG_DIM_B, 3}},
      {.name = "lengths", .dtype = RUNG_I32, .dims = {RUNG_DIM_B}},
      {.name = "h", .dtype = RUNG_F32, .dims = {RUNG_DIM_B, 4}, .state = 0}};
  return info;
}

const float kData[1024] = {};

/// Good arguments for T = 5, B = 2, without the state, to be spoiled.
struct Arguments {
  std::vector<int64_t> ids = {5, 2}, x = {5, 2, 3}, lengths = {2}, h = {2, 4};
  std::vector<rung_tensor> tensors = {
      {"ids", RUNG_I32, 2, ids.data(), kData},
      {"x", RUNG_F32, 3, x.data(), kData},
      {"lengths", RUNG_I32, 1, lengths.data(), kData}};

  Result<RunRequest> bind() const { return bindArguments(function(), tensors); }
  std::string refusal(StatusCode code = StatusCode::InvalidArgument) const {
    const Status status = bind().status();
    EXPECT_EQ(status.code(), code);
    return status.message();
  }
};

TEST(BindArgumentsTest, FindsStepsAndRows) {
  Result<RunRequest> request = Arguments().bind();
  ASSERT_TRUE(request.isOk()) << request.status().message();
  EXPECT_EQ(request->steps, 5u);
  EXPECT_EQ(request->batch, 2u);
  EXPECT_EQ(request->inputs[0].bytes.size(), 40u);
  EXPECT_EQ(request->inputs[1].bytes.size(), 120u);
  EXPECT_EQ(request->inputs[2].bytes.size(), 8u);
  EXPECT_FALSE(request->inputs[3].given);
}

TEST(BindArgumentsTest, TakesInputsInAnyOrderAndStates) {
  Arguments arguments;
  std::swap(arguments.tensors[0], arguments.tensors[2]);
  arguments.tensors.push_back({"h", RUNG_F32, 2, arguments.h.data(), kData});
  Result<RunRequest> request = arguments.bind();
  ASSERT_TRUE(request.isOk()) << request.status().message();
  EXPECT_EQ(request->inputs[0].bytes.size(), 40u);
  EXPECT_TRUE(request->inputs[3].given);
  EXPECT_EQ(request->inputs[3].bytes.size(), 32u);
}

TEST(BindArgumentsTest, TakesOneStepOfOneRowWhenNothingSaysMore) {
  FunctionInfo info = {.name = "f"};
  info.inputs = {{.name = "h", .dims = {RUNG_DIM_B, 4}, .state = 0}};
  Result<RunRequest> request = bindArguments(info, {});
  ASSERT_TRUE(request.isOk()) << request.status().message();
  EXPECT_EQ(request->steps, 1u);
  EXPECT_EQ(request->batch, 1u);
}

TEST(BindArgumentsTest, NeedsNoDataForNoElements) {
  Arguments arguments;
  arguments.ids = {0, 2};
  arguments.x = {0, 2, 3};
  arguments.tensors[0].data = arguments.tensors[1].data = nullptr;
  Result<RunRequest> request = arguments.bind();
  ASSERT_TRUE(request.isOk()) << request.status().message();
  EXPECT_EQ(request->steps, 0u);
  EXPECT_TRUE(request->inputs[0].given);
}

TEST(BindArgumentsTest, NamesTheInputsThatThereAre) {
  Arguments arguments;
  arguments.tensors[0].name = "tokens";
  EXPECT_EQ(arguments.refusal(StatusCode::NotFound),
            "there is no input 'tokens'; there are 'ids', 'x', 'lengths', 'h'");
  arguments.tensors[0].name = nullptr;
  EXPECT_EQ(arguments.refusal(), "an input has no name");
}

TEST(BindArgumentsTest, RefusesTwiceAndMissing) {
  Arguments arguments;
  arguments.tensors.push_back(arguments.tensors[1]);
  EXPECT_EQ(arguments.refusal(), "input 'x' is given twice");
  arguments.tensors.resize(2);
  EXPECT_EQ(arguments.refusal(), "input 'lengths' of type i32[B] is missing; "
                                 "only states may be left out");
}

TEST(BindArgumentsTest, RefusesAnotherTypeOrRank) {
  Arguments arguments;
  arguments.tensors[1].dtype = RUNG_F16;
  EXPECT_EQ(arguments.refusal(),
            "input 'x' is f16 of rank 3; f32[T, B, 3] is needed");
  arguments.tensors[1].dtype = RUNG_F32;
  arguments.tensors[1].rank = 2;
  EXPECT_EQ(arguments.refusal(),
            "input 'x' is f32 of rank 2; f32[T, B, 3] is needed");
  arguments.tensors[1].rank = 3;
  arguments.tensors[1].dtype = static_cast<rung_dtype>(99);
  EXPECT_EQ(arguments.refusal(),
            "input 'x' is unknown of rank 3; f32[T, B, 3] is needed");
}

TEST(BindArgumentsTest, RefusesAnotherShape) {
  Arguments arguments;
  arguments.x[2] = 4;
  EXPECT_EQ(arguments.refusal(),
            "input 'x' is f32[5, 2, 4]; f32[T, B, 3] is needed");
  arguments.x = {-1, 2, 3};
  EXPECT_EQ(arguments.refusal(),
            "input 'x' has extent -1 in axis 0, which is not within 0 to "
            "4294967295");
  arguments.x = {int64_t(1) << 40, 2, 3};
  EXPECT_EQ(arguments.refusal(),
            "input 'x' has extent 1099511627776 in axis 0, which is not within "
            "0 to 4294967295");
}

TEST(BindArgumentsTest, RefusesTwoNumbersOfStepsOrRows) {
  Arguments arguments;
  arguments.x[0] = 6;
  EXPECT_EQ(arguments.refusal(), "input 'x' has T 6 and input 'ids' has 5");
  arguments.x[0] = 5;
  arguments.lengths[0] = 3;
  EXPECT_EQ(arguments.refusal(),
            "input 'lengths' has B 3 and input 'ids' has 2");
}

TEST(BindArgumentsTest, RefusesMissingPointers) {
  Arguments arguments;
  arguments.tensors[1].data = nullptr;
  EXPECT_EQ(arguments.refusal(), "input 'x' of 120 bytes has no data");
  arguments.tensors[1].shape = nullptr;
  EXPECT_EQ(arguments.refusal(), "input 'x' has no shape");
}

TEST(BindArgumentsTest, CountsBytesWithoutWrappingAround) {
  const std::vector<int64_t> shape(3, int64_t(1) << 31);
  Result<size_t> bytes = bytesOf(RUNG_F32, shape);
  ASSERT_FALSE(bytes.isOk());
  EXPECT_EQ(bytes.status().code(), StatusCode::ResourceExhausted);
  EXPECT_EQ(*bytesOf(RUNG_F16, std::vector<int64_t>({3, 0, 5})), 0u);
  EXPECT_EQ(*bytesOf(RUNG_F64, {}), 8u);
}

TEST(BindArgumentsTest, FillsInShapes) {
  EXPECT_EQ(shapeOf(function().inputs[1], 7, 9),
            std::vector<int64_t>({7, 9, 3}));
}

} // namespace

} // namespace rung::test
