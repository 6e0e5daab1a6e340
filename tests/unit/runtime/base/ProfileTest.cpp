//===- ProfileTest.cpp - what a device can do, as data --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Profile.h"
#include "runtime/base/File.h"
#include "tests/unit/support/Mutate.h"
#include "tests/unit/support/TempFolder.h"

#include <gtest/gtest.h>

using namespace rung;

namespace {
constexpr CooperativeShape kShape = {8,
                                     8,
                                     8,
                                     ScalarType::F16,
                                     ScalarType::F16,
                                     ScalarType::F32,
                                     ScalarType::F32};

Profile sample() {
  Profile profile;
  profile.name = "lavapipe";
  profile.description = "Mesa's software \"device\"";
  profile.apiVersion = makeApiVersion(1, 4, 312);
  profile.subgroupSize = 8;
  profile.maxStorageBufferBytes = uint64_t(1) << 40;
  profile.features = {Feature::Float16, Feature::CooperativeMatrix};
  profile.cooperative = {kShape};
  profile.float16.roundToNearestEven = true;
  profile.jointProgress = true;
  profile.peaks.flopsF32 = 1.25e12;
  return profile;
}

std::string messageOf(std::string_view json) {
  return parseProfile(json).status().message();
}
} // namespace

TEST(Profile, ComesBackFromJson) {
  std::string json = writeProfile(sample());
  auto profile = parseProfile(json);
  ASSERT_TRUE(profile.isOk()) << profile.status().message();
  EXPECT_EQ(*profile, sample());
  EXPECT_EQ(writeProfile(*profile), json);
}

TEST(Profile, WritesWhatPeopleRead) {
  std::string json = writeProfile(sample());
  EXPECT_EQ(json.find("{\n  \"name\": \"lavapipe\",\n"), 0u) << json;
  EXPECT_NE(json.find("\"api_version\": \"1.4.312\""), std::string::npos);
  EXPECT_NE(json.find("\"CooperativeMatrix\""), std::string::npos);
  EXPECT_TRUE(json.ends_with("}\n"));
}

TEST(Profile, HasDefaultsForAbsentKeys) {
  auto profile = parseProfile(R"({"name": "generic"})");
  ASSERT_TRUE(profile.isOk()) << profile.status().message();
  Profile expected;
  expected.name = "generic";
  EXPECT_EQ(*profile, expected);
}

TEST(Profile, SortsFeatures) {
  auto profile =
      parseProfile(R"({"name": "x", "features": ["Int8", "Float16", "Int8"]})");
  ASSERT_TRUE(profile.isOk());
  EXPECT_EQ(profile->features,
            (std::vector<Feature>{Feature::Float16, Feature::Int8}));
  EXPECT_TRUE(profile->has(Feature::Int8));
  EXPECT_FALSE(profile->has(Feature::Int16));
}

TEST(Profile, LooksUpShapes) {
  CooperativeShape other = kShape;
  other.k = 16;
  EXPECT_TRUE(sample().has(kShape));
  EXPECT_FALSE(sample().has(other));
  EXPECT_EQ(toString(kShape), "8x8x8 f16 x f16 + f32 -> f32");
}

TEST(Profile, ErrorsNameKeyAndValue) {
  EXPECT_EQ(messageOf("[]"), "a profile is a JSON object, and this is none");
  EXPECT_EQ(messageOf("{}"), "key 'name' is missing");
  EXPECT_EQ(messageOf(R"({"name": ""})"), "'name' is empty");
  EXPECT_EQ(messageOf(R"({"name": 3})"), "'name' is 3, not a string");
  EXPECT_EQ(messageOf(R"({"name": "x", "colour": 1})"), "unknown key 'colour'");
  EXPECT_EQ(messageOf(R"({"name": "x", "subgroup_size": -8})"),
            "'subgroup_size' is -8, not a whole number of at least 0");
  EXPECT_EQ(messageOf(R"({"name": "x", "subgroup_size": 4294967296})"),
            "'subgroup_size' is 4294967296, not a number below 2^32");
  EXPECT_EQ(messageOf(R"({"name": "x", "api_version": 1.3})"),
            "'api_version' is 1.3, not a version such as \"1.3\"");
  EXPECT_EQ(messageOf(R"({"name": "x", "joint_progress": "no"})"),
            "'joint_progress' is \"no\", not true or false");
  EXPECT_EQ(messageOf(R"({"name": "x", "features": ["Int9"]})"),
            "'features[0]' is \"Int9\", not a feature's name");
  EXPECT_EQ(messageOf(R"({"name": "x", "peaks": {"flops_f32": -1}})"),
            "'peaks.flops_f32' is -1, not a number of at least 0");
  EXPECT_EQ(messageOf(R"({"name": "x", "float16": {"rte": true}})"),
            "unknown key 'float16.rte'");
  EXPECT_EQ(messageOf(R"({"name": "x", "cooperative": [{"m": 8}]})"),
            "key 'cooperative[0].n' is missing");
  EXPECT_EQ(
      messageOf(R"({"name": "x", "cooperative": [{"m": 8, "n": 8, "k": 8,
                    "a": "i64", "b": "f16", "c": "f32", "d": "f32"}]})"),
      "'cooperative[0].a' is \"i64\", not one of f32 f16 bf16 f64 i32 i16 s8 "
      "u8");
}

TEST(Profile, SyntaxErrorsGiveThePlace) {
  EXPECT_EQ(messageOf("{\n  \"name\": nope\n}"),
            "JSON has a syntax error at line 2, column 12, near "
            "'\"name\": no'");
  EXPECT_EQ(messageOf("{\"name\": "),
            "JSON ends too early, at line 1, column 10");
  EXPECT_EQ(messageOf(std::string(5000, '[')),
            "JSON nests deeper than 100 levels at line 1, column 101");
}

TEST(Profile, ReadingNamesTheFile) {
  test::TempFolder folder;
  ASSERT_TRUE(writeFile(folder / "p.json", "{}").isOk());
  EXPECT_EQ(readProfile(folder / "p.json").status().message(),
            "key 'name' is missing\n  while reading profile '" +
                (folder / "p.json") + "'");
  ASSERT_TRUE(writeFile(folder / "p.json", writeProfile(sample())).isOk());
  EXPECT_EQ(*readProfile(folder / "p.json"), sample());
}

TEST(Profile, ApiVersionsComeBack) {
  EXPECT_EQ(formatApiVersion(makeApiVersion(1, 3)), "1.3");
  EXPECT_EQ(parseApiVersion("1.4.312"), makeApiVersion(1, 4, 312));
  for (const char *bad :
       {"", "1", "1.", "1.3.", "1.3.0.0", "1.1024", "-1.3", "1.3a", "128.0"})
    EXPECT_EQ(parseApiVersion(bad), std::nullopt) << bad;
}

TEST(Profile, SurvivesDamage) {
  std::string json = writeProfile(sample());
  constexpr std::string_view kTokens[] = {"null", "true",  "\"x\"", "{}",
                                          "[]",   "1e400", "-0.0",  "Float16"};
  test::Mutator mutator(/*seed=*/1);
  unsigned errors = 0;
  for (int i = 0; i < 2000; ++i) {
    auto profile = parseProfile(mutator.text(json, kTokens));
    errors += !profile.isOk();
    if (profile.isOk())
      EXPECT_TRUE(parseProfile(writeProfile(*profile)).isOk());
    else
      EXPECT_FALSE(profile.status().message().empty());
  }
  EXPECT_GT(errors, 1000u);
}
