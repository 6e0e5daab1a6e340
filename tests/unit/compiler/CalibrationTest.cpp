//===- CalibrationTest.cpp - the ranges that a model's numbers take -------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/Calibration.h"

#include <gtest/gtest.h>

using namespace rung;

namespace {

TEST(Calibration, IsReadAsItWasWritten) {
  Calibration calibration;
  FunctionCalibration &function = calibration.functions["run"];
  function.linears = {{-4.25, 4}, {}};
  function.recurrences = {{{{-11.5, -3}, {}}, {{-0.75, 1}}}, {}};

  Result<Calibration> read = parseCalibration(formatCalibration(calibration));
  ASSERT_TRUE(read.isOk()) << read.status().message();
  const FunctionCalibration &same = read.value().functions.at("run");
  ASSERT_EQ(same.linears.size(), 2u);
  EXPECT_EQ(same.linears[0].low, -4.25);
  EXPECT_EQ(same.linears[0].high, 4);
  EXPECT_TRUE(same.linears[1].isEmpty());
  ASSERT_EQ(same.recurrences.size(), 2u);
  ASSERT_EQ(same.recurrences[0].activations.size(), 2u);
  EXPECT_EQ(same.recurrences[0].activations[0].low, -11.5);
  EXPECT_TRUE(same.recurrences[0].activations[1].isEmpty());
  EXPECT_EQ(same.recurrences[0].states.at(0).high, 1);
  EXPECT_TRUE(same.recurrences[1].states.empty());
}

struct Refused {
  const char *text, *message;
};

TEST(Calibration, SaysWhatIsWrong) {
  for (Refused refused :
       {Refused{"{", "reading a calibration"},
        Refused{"{}", "it has no 'functions'"},
        Refused{R"({"functions": {"f": {"recurrences": []}}})",
                "function 'f' has no 'linears'"},
        Refused{R"({"functions": {"f": {"linears": 1, "recurrences": []}}})",
                "'linears' of function 'f' is no list"},
        Refused{R"({"functions": {"f": {"linears": [null, [2, 1]],
                                        "recurrences": []}}})",
                "entry 1 of 'linears' of function 'f' is [2,1]; it must be "
                "[low, high] or null"},
        Refused{R"({"functions": {"f": {"linears": [],
                                        "recurrences": [{"states": []}]}}})",
                "recurrence 0 of function 'f' has no 'activations'"}}) {
    Result<Calibration> read = parseCalibration(refused.text);
    ASSERT_FALSE(read.isOk()) << refused.text;
    EXPECT_NE(std::string(read.status().message()).find(refused.message),
              std::string::npos)
        << read.status().message();
  }
}

} // namespace
