//===- WeightEntriesTest.cpp - the weights that a bundle's graphs load ----===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/bundle/WeightEntries.h"
#include "tests/unit/support/ParsedModule.h"

#include <cstring>

using namespace rung;
using namespace rung::test;

namespace {

class WeightEntriesTest : public ::testing::Test {
protected:
  template <typename T> std::vector<T> values(size_t index) const {
    const fb::WeightT &weight = *bundle_.weights[index];
    std::vector<T> result(weight.size / sizeof(T));
    std::memcpy(result.data(), blob_.bytes().data() + weight.offset,
                weight.size);
    return result;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto &weight : bundle_.weights)
      result.push_back(weight->name);
    return result;
  }

  fb::BundleT bundle_;
  BlobBuilder blob_;
  BlobPool pool_{blob_};
  WeightEntries entries_{bundle_, pool_};
};

using Names = std::vector<std::string>;

const char *const kSource = R"(
  rnn.weight @w : tensor<2xf32> = dense<[0.1, 3.0]>
  rnn.weight @u : tensor<1xf32> = dense<0.25>
)";

TEST_F(WeightEntriesTest, KeepElementTypesAndSplats) {
  ParsedModule module(R"(
    rnn.weight @f : tensor<3xf32> = dense<0.5>
    rnn.weight @h : tensor<2xf16> = dense<[1.0, -2.0]>
    rnn.weight @b : tensor<1xbf16> = dense<1.0>
    rnn.weight @q : tensor<2x2xi8> = dense<[[1, -128], [127, 0]]>
    rnn.weight @i : tensor<2xi32> = dense<[-2147483648, 7]>
    rnn.weight @r : tensor<2xf32> = dense_resource<blob>
    {-# dialect_resources: { builtin: {
      blob: "0x040000000000803F00000040" } } #-}
  )");
  auto indices = entries_.add(module.module());
  ASSERT_TRUE(mlir::succeeded(indices)) << module.said();
  EXPECT_EQ(names(), (Names{"f", "h", "b", "q", "i", "r"}));
  EXPECT_EQ(values<float>(0), (std::vector<float>{0.5f, 0.5f, 0.5f}));
  EXPECT_EQ(values<uint16_t>(1), (std::vector<uint16_t>{0x3c00, 0xc000}));
  EXPECT_EQ(bundle_.weights[1]->type->element, fb::ScalarType::F16);
  EXPECT_EQ(values<uint16_t>(2), (std::vector<uint16_t>{0x3f80}));
  EXPECT_EQ(values<int8_t>(3), (std::vector<int8_t>{1, -128, 127, 0}));
  EXPECT_EQ(bundle_.weights[3]->type->element, fb::ScalarType::S8);
  EXPECT_EQ(bundle_.weights[3]->type->dims, (std::vector<int32_t>{2, 2}));
  EXPECT_EQ(values<int32_t>(4), (std::vector<int32_t>{INT32_MIN, 7}));
  EXPECT_EQ(values<float>(5), (std::vector<float>{1, 2}));
}

TEST_F(WeightEntriesTest, HoldAnEqualWeightOnceAndRenameAnother) {
  ParsedModule module(std::string("module @a {") + kSource + "}\n" +
                      "module @b { rnn.weight @u : tensor<1xf32> = dense<0.25>"
                      " rnn.weight @w : tensor<2xf32> = dense<[5.0, 6.0]> }");
  auto modules = module.module().getOps<mlir::ModuleOp>();
  auto source = entries_.add(*modules.begin());
  auto graph = entries_.add(*std::next(modules.begin()));
  ASSERT_TRUE(mlir::succeeded(source) && mlir::succeeded(graph));
  EXPECT_EQ(names(), (Names{"w", "u", "w.1"}));
  EXPECT_EQ(source->lookup("w"), 0u);
  EXPECT_EQ(source->lookup("u"), 1u);
  EXPECT_EQ(graph->lookup("w"), 2u);
  EXPECT_EQ(graph->lookup("u"), 1u);
}

TEST_F(WeightEntriesTest, RoundOwnWeightsToAFormat) {
  ParsedModule module(R"(
    rnn.weight @w : tensor<2xf32> = dense<[0.1, 3.0]>
        {rung.own_format = "f16"}
    rnn.weight @b : tensor<1xf32> = dense<0.1> {rung.own_format = "bf16"}
    rnn.weight @w.own : tensor<1xf32> = dense<9.0>
  )");
  auto indices = entries_.add(module.module());
  ASSERT_TRUE(mlir::succeeded(indices)) << module.said();
  ASSERT_TRUE(
      mlir::succeeded(entries_.addOwn(module.module(), *indices, *indices)));
  EXPECT_EQ(names(), (Names{"w", "b", "w.own", "w.own.1", "b.own"}));
  EXPECT_EQ(bundle_.weights[0]->own, "w.own.1");
  EXPECT_EQ(bundle_.weights[1]->own, "b.own");
  EXPECT_EQ(bundle_.weights[2]->own, "");
  EXPECT_EQ(values<float>(3), (std::vector<float>{0.0999755859375f, 3}));
  EXPECT_EQ(values<float>(4), (std::vector<float>{0.10009765625f}));
  EXPECT_EQ(bundle_.weights[3]->type->dims, (std::vector<int32_t>{2}));
}

// The source's weight gets the own one, whatever the graph made of its name.
TEST_F(WeightEntriesTest, NameOwnWeightsOfTheSource) {
  ParsedModule module(std::string("module @a {") + kSource + R"(}
    module @b {
      rnn.weight @w : tensor<2xf32> = dense<[7.0, 8.0]> {rung.own = @w.q}
      rnn.weight @w.q : tensor<2xf32> = dense<[0.125, 3.0]>
      rnn.weight @new : tensor<2xf32> = dense<1.0> {rung.own = @w.q}
    })");
  auto modules = module.module().getOps<mlir::ModuleOp>();
  mlir::ModuleOp graphModule = *std::next(modules.begin());
  auto source = entries_.add(*modules.begin());
  auto graph = entries_.add(graphModule);
  ASSERT_TRUE(mlir::succeeded(source) && mlir::succeeded(graph));
  ASSERT_TRUE(mlir::succeeded(entries_.addOwn(graphModule, *graph, *source)));
  EXPECT_EQ(names(), (Names{"w", "u", "w.1", "w.q", "new"}));
  EXPECT_EQ(bundle_.weights[0]->own, "w.q");
  EXPECT_EQ(bundle_.weights[2]->own, "");
  EXPECT_EQ(bundle_.weights[4]->own, "");
}

TEST_F(WeightEntriesTest, RefuseOwnWeightsThatThereAreNot) {
  ParsedModule module(R"(
    module { rnn.weight @w : tensor<1xf32> = dense<0.1> {rung.own = @x} }
    module { rnn.weight @v : tensor<1xf32> = dense<0.1>
                 {rung.own_format = "f8"} })");
  for (mlir::ModuleOp part : module.module().getOps<mlir::ModuleOp>()) {
    auto indices = entries_.add(part);
    ASSERT_TRUE(mlir::succeeded(indices));
    EXPECT_TRUE(mlir::failed(entries_.addOwn(part, *indices, *indices)));
  }
  EXPECT_EQ(module.said(),
            "'rnn.weight' op has 'rung.own' @x, which is no weight\n"
            "'rnn.weight' op has elements of 'f32' and 'rung.own_format' of "
            "'f8'; f32 is rounded to f16 or bf16\n");
}

} // namespace
