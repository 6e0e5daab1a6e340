//===- SuiteTest.cpp - a folder of bundles to measure ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/Suite.h"

#include "runtime/base/File.h"
#include "tests/unit/support/TempFolder.h"

#include <gtest/gtest.h>

#include <string>

using namespace rung;
using namespace rung::tools;
using namespace rung::test;

namespace {

void put(const std::string &path, const std::string &text) {
  ASSERT_TRUE(writeFile(path, std::string_view(text)).isOk());
}

std::string model(const std::string &name, const std::string &inputs,
                  const std::string &memory) {
  return "{\"name\": \"" + name + "\", \"regime\": \"C\", \"seed\": 3, " +
         "\"inputs\": \"" + inputs + "\", \"memory\": " + memory + "}";
}

TEST(Suite, FindsTheBundlesOfItsModels) {
  TempFolder folder;
  put(folder / "suite.json", "{\"models\": [" + model("C.1", "slow", "0.9") +
                                 ", " + model("C.11", "white", "0") + "]}");
  for (const char *file :
       {"C.1.int8,state=s16.rung", "C.1.fp32.rung", "C.1.int8.rung",
        "C.11.fp16.rung", "C.1.npz", "C.1..rung"})
    put(folder / file, "");
  auto models = readSuite(folder / "");
  ASSERT_TRUE(models.isOk()) << models.status().message();
  ASSERT_EQ(models->size(), 2u);
  const SuiteModel &first = models->front();
  EXPECT_EQ(first.regime, "C");
  EXPECT_EQ(first.seed, 3u);
  EXPECT_EQ(first.inputs, InputKind::Slow);
  EXPECT_EQ(first.memory, 0.9);
  ASSERT_EQ(first.bundles.size(), 3u);
  EXPECT_EQ(first.bundles[0].rung, "fp32");
  EXPECT_EQ(first.bundles[1].rung, "int8");
  EXPECT_EQ(first.bundles[2].rung, "int8,state=s16");
  EXPECT_EQ(first.bundles[0].path, folder / "C.1.fp32.rung");
  EXPECT_EQ(models->back().bundles[0].rung, "fp16");
}

std::string errorOf(const std::string &text) {
  TempFolder folder;
  put(folder / "suite.json", text);
  auto models = readSuite(folder / "");
  std::string message = models.isOk() ? "" : models.status().message();
  return message.substr(0, message.find('\n'));
}

TEST(Suite, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf("{}"), "a suite has a list of models");
  EXPECT_EQ(errorOf("{\"models\": [{\"name\": \"a\"}]}"),
            "a model has name, regime and inputs as text, and seed and memory "
            "as numbers");
  EXPECT_EQ(errorOf("{\"models\": [" + model("a", "loud", "0") + "]}"),
            "inputs 'loud' of model 'a' are neither white nor slow");
  EXPECT_EQ(errorOf("{\"models\": [" + model("a", "slow", "1") + "]}"),
            "memory 1 of model 'a' is not from 0 to below 1");
  std::string missing =
      errorOf("{\"models\": [" + model("a", "slow", "0.5") + "]}");
  EXPECT_TRUE(missing.ends_with("has no a.RUNG.rung")) << missing;
}

TEST(Suite, KnowsTheLadder) {
  const char *ladder[] = {"fp32",           "fp16-mixed", "bf16-mixed",
                          "fp16",           "fp16-sr",    "fp16x2",
                          "fp16x2-sr",      "int8",       "int8,pieces=16",
                          "int8,state=s16", "another"};
  for (size_t i = 1; i < std::size(ladder); ++i) {
    EXPECT_TRUE(standsBefore(ladder[i - 1], ladder[i])) << ladder[i];
    EXPECT_FALSE(standsBefore(ladder[i], ladder[i - 1])) << ladder[i];
  }
}

} // namespace
