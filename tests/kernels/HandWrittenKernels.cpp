//===- HandWrittenKernels.cpp - tile kernels against their graphs --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A file of this folder holds two modules: a graph of the rnn dialect, and a
// tile program with kernels that does the same. Both go into one bundle, the
// kernels in a plain and a cooperative layout; each runs on the device and the
// graph on the reference.
//
//===----------------------------------------------------------------------===//

#include "compiler/Compiler.h"
#include "compiler/Pipelines.h"
#include "compiler/bundle/BundleEmitter.h"
#include "compiler/target/Target.h"
#include "dialects/rnn/RnnOps.h"
#include "runtime/rung.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace rung {
namespace {

using mlir::ModuleOp;
using mlir::OwningOpRef;

std::vector<float> randomNumbers(size_t count, float scale, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = normal(engine);
  return numbers;
}

/// A port's values and shape.
struct Input {
  std::string name;
  std::vector<int64_t> shape;
  std::vector<float> floats;
  std::vector<int32_t> integers;

  rung_tensor tensor() const {
    bool isFloat = integers.empty();
    return {name.c_str(), isFloat ? RUNG_F32 : RUNG_I32,
            static_cast<uint32_t>(shape.size()), shape.data(),
            isFloat ? static_cast<const void *>(floats.data())
                    : integers.data()};
  }
};

class HandWrittenKernels : public testing::Test {
protected:
  HandWrittenKernels() { registerCompilerDialects(context_); }

  /// Reads the two modules, and gives the weights random values.
  void read(const std::string &name) {
    std::ifstream file(RUNG_SOURCE_DIR "/tests/kernels/" + name);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const std::string divider = "// -----";
    size_t middle = text.find(divider);
    ASSERT_NE(middle, std::string::npos);
    graph_ =
        mlir::parseSourceString<ModuleOp>(text.substr(0, middle), &context_);
    kernels_ = text.substr(middle + divider.size());
    ASSERT_TRUE(graph_);
    unsigned seed = 1;
    for (auto weight : graph_->getOps<rnn::WeightOp>()) {
      auto type = llvm::cast<mlir::ShapedType>(weight.getType());
      std::vector<float> values =
          randomNumbers(type.getNumElements(), 0.2f, seed++);
      weight.setValueAttr(
          mlir::DenseElementsAttr::get(type, llvm::ArrayRef<float>(values)));
    }
  }

  void addVariant(BundleEmitter &emitter, bool cooperative) {
    std::string text = kernels_;
    const std::string word = "cooperative = true";
    for (size_t at = text.find(word); !cooperative && at != std::string::npos;
         at = text.find(word, at))
      text.replace(at, word.size(), "cooperative = false");
    OwningOpRef<ModuleOp> module =
        mlir::parseSourceString<ModuleOp>(text, &context_);
    ASSERT_TRUE(module);
    mlir::PassManager passes(&context_);
    const std::string name = cooperative ? "lavapipe" : "generic";
    buildSpirvPipeline(passes, name);
    ASSERT_TRUE(mlir::succeeded(passes.run(*module)));
    Result<Profile> profile = findProfile(name);
    ASSERT_TRUE(profile.isOk()) << profile.status().message();
    ASSERT_TRUE(mlir::succeeded(emitter.addVariant(*module, profile.value())));
  }

  void build() {
    CompileOptions options;
    ModelExtras extras;
    auto emitter = BundleEmitter::create(*graph_, *graph_, extras, options);
    ASSERT_TRUE(mlir::succeeded(emitter));
    addVariant(*emitter, /*cooperative=*/false);
    addVariant(*emitter, /*cooperative=*/true);
    auto bytes = emitter->finish({});
    ASSERT_TRUE(bytes.isOk()) << bytes.status().message();
    bytes_ = std::move(bytes.value());
  }

  /// All outputs, one after the other; empty where there is no device.
  std::vector<std::vector<float>> run(const char *device,
                                      const std::vector<Input> &inputs,
                                      std::string *variant = nullptr) {
    rung_bundle *bundle = nullptr;
    EXPECT_EQ(rung_bundle_open_memory(bytes_.data(), bytes_.size(), &bundle),
              RUNG_OK)
        << rung_last_error();
    rung_session *session = nullptr;
    rung_code code = rung_session_create(bundle, device, &session);
    std::vector<std::vector<float>> outputs;
    if (code != RUNG_OK) {
      EXPECT_EQ(code, RUNG_NOT_FOUND) << rung_last_error();
      rung_bundle_close(bundle);
      return outputs;
    }
    if (variant)
      *variant = rung_session_variant(session);
    std::vector<rung_tensor> tensors;
    for (const Input &input : inputs)
      tensors.push_back(input.tensor());
    rung_result *result = nullptr;
    EXPECT_EQ(rung_run(session, 0, tensors.data(), tensors.size(), &result),
              RUNG_OK)
        << rung_last_error();
    for (size_t i = 0; result && i < rung_result_output_count(result); ++i) {
      rung_tensor output;
      EXPECT_EQ(rung_result_output(result, i, &output), RUNG_OK);
      size_t count = 1;
      for (uint32_t axis = 0; axis < output.rank; ++axis)
        count *= output.shape[axis];
      const float *values = static_cast<const float *>(output.data);
      outputs.emplace_back(values, values + count);
    }
    rung_result_destroy(result);
    rung_session_destroy(session);
    rung_bundle_close(bundle);
    return outputs;
  }

  /// Runs on reference and device, in the layout that `cooperative` asks for
  /// where the device has it, and compares. \p plain is the variant that runs
  /// without cooperative matrices.
  void compare(const std::vector<Input> &inputs, bool cooperative,
               double tolerance, const char *plain = "generic") {
    setenv("RUNG_COOPMAT", cooperative ? "1" : "0", /*overwrite=*/1);
    auto expected = run("reference", inputs);
    std::string variant;
    auto actual = run("", inputs, &variant);
    unsetenv("RUNG_COOPMAT");
    if (actual.empty())
      GTEST_SKIP() << "no Vulkan device";
    if (cooperative && variant != "lavapipe")
      GTEST_SKIP() << "the device lacks 8x8x8 cooperative matrices";
    EXPECT_EQ(variant, cooperative ? "lavapipe" : plain);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_EQ(actual[i].size(), expected[i].size());
      for (size_t j = 0; j < actual[i].size(); ++j)
        ASSERT_NEAR(actual[i][j], expected[i][j], tolerance)
            << "output " << i << ", element " << j;
    }
  }

  mlir::MLIRContext context_;
  OwningOpRef<ModuleOp> graph_;
  std::string kernels_;
  std::vector<std::byte> bytes_;
};

class HandWrittenLayouts : public HandWrittenKernels,
                           public testing::WithParamInterface<bool> {};

TEST_P(HandWrittenLayouts, ProductEqualsItsGraph) {
  read("product.mlir");
  build();
  compare({{"x", {37, 1, 32}, randomNumbers(37 * 32, 1, 7), {}}}, GetParam(),
          2e-6);
}

TEST_P(HandWrittenLayouts, RecurrenceEqualsItsGraph) {
  read("recurrence.mlir");
  build();
  // No multiple of eight rows; lengths of 0, of T, and between.
  std::vector<int32_t> lengths{0, 9, 3, 1, 9, 8, 7, 2, 5, 9, 0, 4, 6};
  compare({{"x", {9, 13, 32}, randomNumbers(9 * 13 * 32, 1, 7), {}},
           {"n", {13}, {}, lengths},
           {"h0", {13, 32}, randomNumbers(13 * 32, 1, 8), {}}},
          GetParam(), 5e-4);
}

TEST_P(HandWrittenLayouts, WorkgroupsWaitForOneAnother) {
  // Software Vulkan runs a workgroup to its end on one thread.
  setenv("LP_NUM_THREADS", "4", /*overwrite=*/1);
  read("grid_barrier.mlir");
  build();
  // Its kernel has no matrices, so that lavapipe's variant is plain, too.
  compare({{"x", {5, 3, 8}, randomNumbers(5 * 3 * 8, 1, 7), {}}}, GetParam(), 0,
          /*plain=*/"lavapipe");
  unsetenv("LP_NUM_THREADS");
}

INSTANTIATE_TEST_SUITE_P(Layouts, HandWrittenLayouts, testing::Bool(),
                         [](const testing::TestParamInfo<bool> &info) {
                           return info.param ? "Cooperative" : "Plain";
                         });

} // namespace
} // namespace rung
