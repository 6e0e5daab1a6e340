//===- BundleApiTest.cpp - rung.h without a device --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "runtime/rung.h"
#include "tests/unit/support/SampleBundle.h"
#include "tests/unit/support/TempFolder.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace rung::test {

namespace {

class BundleApiTest : public testing::Test {
protected:
  void SetUp() override {
    const std::vector<std::byte> file = SampleBundle().file();
    ASSERT_EQ(rung_bundle_open_memory(file.data(), file.size(), &bundle_),
              RUNG_OK)
        << rung_last_error();
  }
  void TearDown() override { rung_bundle_close(bundle_); }

  size_t find(const char *name) {
    size_t function = 99;
    EXPECT_EQ(rung_bundle_find_function(bundle_, name, &function), RUNG_OK);
    return function;
  }

  rung_bundle *bundle_ = nullptr;
};

TEST_F(BundleApiTest, HasTheVersionOfItsHeader) {
  EXPECT_EQ(rung_api_version(), uint32_t(RUNG_API_VERSION));
  EXPECT_STRNE(rung_version(), "");
}

TEST_F(BundleApiTest, KnowsElementTypes) {
  EXPECT_EQ(rung_dtype_size(RUNG_F32), 4u);
  EXPECT_EQ(rung_dtype_size(RUNG_BF16), 2u);
  EXPECT_EQ(rung_dtype_size(static_cast<rung_dtype>(8)), 0u);
  EXPECT_STREQ(rung_dtype_name(RUNG_F32), "f32");
  EXPECT_STREQ(rung_dtype_name(RUNG_U8), "u8");
  EXPECT_STREQ(rung_dtype_name(static_cast<rung_dtype>(8)), "unknown");
}

TEST_F(BundleApiTest, ListsFunctions) {
  ASSERT_EQ(rung_bundle_function_count(bundle_), 2u);
  EXPECT_STREQ(rung_bundle_function_name(bundle_, 0), "encode");
  EXPECT_STREQ(rung_bundle_function_name(bundle_, 1), "step");
  EXPECT_EQ(rung_bundle_function_name(bundle_, 2), nullptr);
  EXPECT_EQ(find("step"), 1u);
  size_t untouched = 99;
  EXPECT_EQ(rung_bundle_find_function(bundle_, "decode", &untouched),
            RUNG_NOT_FOUND);
  EXPECT_EQ(untouched, 99u);
  EXPECT_STREQ(rung_last_error(),
               "there is no function 'decode'; there are 'encode', 'step'");
}

TEST_F(BundleApiTest, DescribesPorts) {
  const size_t step = find("step");
  ASSERT_EQ(rung_function_input_count(bundle_, step), 2u);
  ASSERT_EQ(rung_function_output_count(bundle_, step), 3u);
  rung_port port;
  ASSERT_EQ(rung_function_input(bundle_, step, 0, &port), RUNG_OK);
  EXPECT_STREQ(port.name, "ids");
  EXPECT_EQ(port.dtype, RUNG_I32);
  EXPECT_EQ(std::vector<int64_t>(port.dims, port.dims + port.rank),
            std::vector<int64_t>({RUNG_DIM_T, RUNG_DIM_B}));
  EXPECT_EQ(port.state, RUNG_NONE);
  ASSERT_EQ(rung_function_output(bundle_, step, 2, &port), RUNG_OK);
  EXPECT_STREQ(port.name, "h");
  EXPECT_EQ(std::vector<int64_t>(port.dims, port.dims + port.rank),
            std::vector<int64_t>({RUNG_DIM_B, 4}));
  EXPECT_EQ(port.state, 0);
}

TEST_F(BundleApiTest, DescribesStates) {
  const size_t step = find("step");
  ASSERT_EQ(rung_function_state_count(bundle_, step), 1u);
  rung_state state;
  ASSERT_EQ(rung_function_state(bundle_, step, 0, &state), RUNG_OK);
  EXPECT_STREQ(state.name, "h");
  EXPECT_EQ(state.input, 1u);
  EXPECT_EQ(state.output, 2u);
}

TEST_F(BundleApiTest, DescribesGeneration) {
  rung_generation generation;
  ASSERT_EQ(rung_function_generation(bundle_, find("step"), &generation),
            RUNG_OK);
  EXPECT_STREQ(generation.prompt_function, "encode");
  EXPECT_STREQ(generation.prompt_input, "ids");
  EXPECT_STREQ(generation.token_input, "ids");
  EXPECT_STREQ(generation.token_output, "token");
  EXPECT_STREQ(generation.logits_output, "logits");
  EXPECT_EQ(generation.start, 2);
  EXPECT_EQ(generation.stop, 3);
  EXPECT_EQ(generation.max_steps, 20u);
  ASSERT_EQ(generation.append_count, 1u);
  EXPECT_EQ(generation.append[0], 2);
  EXPECT_EQ(rung_function_generation(bundle_, find("encode"), &generation),
            RUNG_NOT_FOUND);
  EXPECT_STREQ(rung_last_error(),
               "function 'encode' is not made for generation");

  const void *data = nullptr;
  size_t size = 0;
  ASSERT_EQ(
      rung_bundle_asset(bundle_, generation.input_vocabulary, &data, &size),
      RUNG_OK);
  EXPECT_GT(size, 0u);
  EXPECT_NE(data, nullptr);
  EXPECT_EQ(rung_bundle_asset(bundle_, "none", &data, &size), RUNG_NOT_FOUND);
}

TEST_F(BundleApiTest, DescribesWhatElseIsInIt) {
  ASSERT_EQ(rung_bundle_variant_count(bundle_), 2u);
  EXPECT_STREQ(rung_bundle_variant_profile(bundle_, 0), "generic");
  EXPECT_EQ(rung_bundle_variant_profile(bundle_, 2), nullptr);
  rung_provenance provenance;
  rung_bundle_provenance(bundle_, &provenance);
  EXPECT_NE(provenance.tool_version, nullptr);
  EXPECT_NE(provenance.source_digest, nullptr);
  for (size_t i = 0; i < rung_bundle_stage_count(bundle_); ++i) {
    const char *name = nullptr, *text = nullptr;
    EXPECT_EQ(rung_bundle_stage(bundle_, i, &name, &text), RUNG_OK);
    EXPECT_NE(text, nullptr);
  }
}

TEST_F(BundleApiTest, RefusesIndicesOutOfRange) {
  rung_port port;
  rung_state state;
  rung_generation generation;
  const char *name, *text;
  EXPECT_EQ(rung_function_input(bundle_, 7, 0, &port), RUNG_INVALID_ARGUMENT);
  EXPECT_STREQ(rung_last_error(), "function 7 is not below 2");
  EXPECT_EQ(rung_function_input(bundle_, 0, 2, &port), RUNG_INVALID_ARGUMENT);
  EXPECT_STREQ(rung_last_error(), "input 2 is not below 2");
  EXPECT_EQ(rung_function_output(bundle_, 0, ~size_t(0), &port),
            RUNG_INVALID_ARGUMENT);
  EXPECT_EQ(rung_function_state(bundle_, 0, 1, &state), RUNG_INVALID_ARGUMENT);
  EXPECT_EQ(rung_function_state(bundle_, 7, 0, &state), RUNG_INVALID_ARGUMENT);
  EXPECT_EQ(rung_function_generation(bundle_, 7, &generation),
            RUNG_INVALID_ARGUMENT);
  EXPECT_EQ(rung_bundle_stage(bundle_, 99, &name, &text),
            RUNG_INVALID_ARGUMENT);
  EXPECT_EQ(rung_function_input_count(bundle_, 7), 0u);
  EXPECT_EQ(rung_function_output_count(bundle_, 7), 0u);
  EXPECT_EQ(rung_function_state_count(bundle_, 7), 0u);
  EXPECT_EQ(rung_bundle_asset_name(bundle_, 99), nullptr);
}

TEST_F(BundleApiTest, KeepsMessagesApartByThread) {
  size_t function;
  rung_bundle_find_function(bundle_, "here", &function);
  std::thread([&] {
    EXPECT_STREQ(rung_last_error(), "");
    rung_bundle_find_function(bundle_, "there", &function);
  }).join();
  EXPECT_TRUE(std::string(rung_last_error())
                  .starts_with("there is no function 'here'"));
}

TEST(BundleOpenTest, OpensFiles) {
  TempFolder folder;
  const std::string path = folder / "a.rung";
  const std::vector<std::byte> file = SampleBundle().file();
  ASSERT_TRUE(writeFile(path, file).isOk());
  rung_bundle *bundle = nullptr;
  ASSERT_EQ(rung_bundle_open(path.c_str(), &bundle), RUNG_OK)
      << rung_last_error();
  EXPECT_EQ(rung_bundle_function_count(bundle), 2u);
  rung_bundle_close(bundle);
}

TEST(BundleOpenTest, SaysWhatIsWrongWithAFile) {
  rung_bundle *bundle = nullptr;
  EXPECT_EQ(rung_bundle_open("/no/such.rung", &bundle), RUNG_NOT_FOUND);
  EXPECT_NE(std::string(rung_last_error()).find("'/no/such.rung'"),
            std::string::npos)
      << rung_last_error();
  EXPECT_EQ(rung_bundle_open_memory("not a bundle", 12, &bundle),
            RUNG_INVALID_DATA);
  EXPECT_TRUE(std::string(rung_last_error())
                  .ends_with("while opening a bundle of 12 bytes in memory"))
      << rung_last_error();
  std::vector<std::byte> file = SampleBundle().file();
  file.back() ^= std::byte(1);
  EXPECT_EQ(rung_bundle_open_memory(file.data(), file.size(), &bundle),
            RUNG_INVALID_DATA);
  EXPECT_EQ(bundle, nullptr);
  rung_bundle_close(nullptr);
}

TEST(CodeNameTest, NamesEveryCode) {
  for (int code = RUNG_OK; code <= RUNG_FAILED_PRECONDITION; ++code)
    EXPECT_STRNE(rung_code_name(static_cast<rung_code>(code)), "unknown code");
  EXPECT_STREQ(rung_code_name(static_cast<rung_code>(77)), "unknown code");
}

} // namespace

} // namespace rung::test
