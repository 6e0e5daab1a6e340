//===- RulesFixture.h - one broken rule at a time ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_BUNDLE_RULESFIXTURE_H
#define RUNG_TESTS_UNIT_RUNTIME_BUNDLE_RULESFIXTURE_H

#include "runtime/bundle/Reader.h"
#include "tests/unit/support/SampleBundle.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

namespace rung::test {

/// What is done to the sample, and how the reader's message begins.
struct BrokenRule {
  const char *name;
  std::function<void(fb::BundleT &)> damage;
  std::string message;
};
inline std::ostream &operator<<(std::ostream &os, const BrokenRule &rule) {
  return os << rule.name;
}

class RulesTest : public ::testing::TestWithParam<BrokenRule> {
protected:
  /// The checksums are right: what is wrong is what the rule is about.
  void check() {
    SampleBundle sample;
    GetParam().damage(sample.bundle);
    auto reader = BundleReader::fromBytes(sample.unverifiedFile());
    ASSERT_FALSE(reader.isOk());
    EXPECT_EQ(reader.status().code(), StatusCode::InvalidData);
    std::string message = reader.status().message();
    const std::string &expected = GetParam().message;
    EXPECT_EQ(message.substr(0, expected.size()), expected) << message;
  }
};

inline std::string ruleName(const ::testing::TestParamInfo<BrokenRule> &info) {
  return info.param.name;
}

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_RUNTIME_BUNDLE_RULESFIXTURE_H
