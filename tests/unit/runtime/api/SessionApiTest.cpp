//===- SessionApiTest.cpp - rung.h on a device ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/rung.h"
#include "tests/unit/runtime/vulkan/DeviceTest.h"
#include "tests/unit/runtime/vulkan/TestModels.h"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

namespace rung::test {

namespace {

/// The decay model through the C interface alone.
class SessionApiTest : public DeviceTest {
protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    const std::vector<std::byte> file = decayModel(w_);
    ASSERT_EQ(rung_bundle_open_memory(file.data(), file.size(), &bundle_),
              RUNG_OK)
        << rung_last_error();
    ASSERT_EQ(rung_session_create(bundle_, "0", &session_), RUNG_OK)
        << rung_last_error();
  }
  void TearDown() override {
    rung_session_destroy(session_);
    rung_bundle_close(bundle_);
    DeviceTest::TearDown();
  }

  /// A run of `steps` steps of one row of ones; null on failure.
  rung_result *run(int64_t steps, const float *state = nullptr) {
    const std::vector<float> x(size_t(steps) * 3, 1.0f);
    const int64_t xShape[] = {steps, 1, 3}, hShape[] = {1, 3};
    const rung_tensor inputs[] = {{"h", RUNG_F32, 2, hShape, state},
                                  {"x", RUNG_F32, 3, xShape, x.data()}};
    rung_result *result = nullptr;
    EXPECT_EQ(rung_run(session_, 0, state ? inputs : inputs + 1, state ? 2 : 1,
                       &result),
              RUNG_OK)
        << rung_last_error();
    return result;
  }

  static std::vector<float> floats(const rung_result *result, size_t index) {
    rung_tensor output;
    EXPECT_EQ(rung_result_output(result, index, &output), RUNG_OK);
    size_t count = 1;
    for (uint32_t axis = 0; axis < output.rank; ++axis)
      count *= size_t(output.shape[axis]);
    auto *data = static_cast<const float *>(output.data);
    return {data, data + count};
  }

  const std::vector<float> w_ = {1, 2, 4};
  rung_bundle *bundle_ = nullptr;
  rung_session *session_ = nullptr;
};

using Floats = std::vector<float>;

TEST_F(SessionApiTest, SaysWhereItRunsAndWhy) {
  EXPECT_EQ(rung_session_device(session_), snapshot().name);
  EXPECT_STREQ(rung_session_variant(session_), "generic");
  EXPECT_EQ(rung_session_explanation(session_),
            "variant 'generic' fits '" + snapshot().name + "'");
}

TEST_F(SessionApiTest, RunsAndCarriesStateOnRequest) {
  rung_result *first = run(2);
  ASSERT_NE(first, nullptr);
  ASSERT_EQ(rung_result_output_count(first), 2u);
  rung_tensor y;
  ASSERT_EQ(rung_result_output(first, 0, &y), RUNG_OK);
  EXPECT_STREQ(y.name, "y");
  EXPECT_EQ(y.dtype, RUNG_F32);
  EXPECT_EQ(std::vector<int64_t>(y.shape, y.shape + y.rank),
            std::vector<int64_t>({2, 1, 3}));
  EXPECT_EQ(floats(first, 0), Floats({1, 2, 4, 1.5, 3, 6}));
  EXPECT_EQ(floats(first, 1), Floats({1.5, 3, 6}));
  rung_result *second = run(1, floats(first, 1).data());
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(floats(second, 0), Floats({1.75, 3.5, 7}));
  rung_result *third = run(1);
  EXPECT_EQ(floats(third, 0), w_) << "no state is kept between calls";
  EXPECT_EQ(floats(first, 1), Floats({1.5, 3, 6})) << "results stay";
  for (rung_result *result : {first, second, third})
    rung_result_destroy(result);
}

TEST_F(SessionApiTest, StreamsStepByStep) {
  rung_stream *stream = nullptr;
  const int64_t xShape[] = {1, 1, 3}, hShape[] = {1, 3};
  const Floats x = {1, 1, 1}, h = {2, 2, 2};
  const rung_tensor input = {"x", RUNG_F32, 3, xShape, x.data()};
  const rung_tensor state = {"h", RUNG_F32, 2, hShape, h.data()};
  ASSERT_EQ(rung_stream_open(session_, 0, nullptr, 0, &stream), RUNG_OK)
      << rung_last_error();
  rung_tensor output;
  EXPECT_EQ(rung_stream_output(stream, 0, &output), RUNG_FAILED_PRECONDITION);
  auto floatsOf = [&](size_t index) {
    EXPECT_EQ(rung_stream_output(stream, index, &output), RUNG_OK);
    auto *data = static_cast<const float *>(output.data);
    return Floats(data, data + 3);
  };
  ASSERT_EQ(rung_stream_step(stream, &input, 1), RUNG_OK) << rung_last_error();
  EXPECT_EQ(floatsOf(0), w_);
  ASSERT_EQ(rung_stream_step(stream, &input, 1), RUNG_OK);
  EXPECT_EQ(floatsOf(0), Floats({1.5, 3, 6}));
  EXPECT_EQ(floatsOf(1), Floats({1.5, 3, 6}));
  rung_result_destroy(run(3)); // The session does other things meanwhile.
  ASSERT_EQ(rung_stream_step(stream, &input, 1), RUNG_OK);
  EXPECT_EQ(floatsOf(0), Floats({1.75, 3.5, 7}));
  const rung_tensor both[] = {input, state};
  EXPECT_EQ(rung_stream_step(stream, both, 2), RUNG_INVALID_ARGUMENT);
  EXPECT_STREQ(rung_last_error(),
               "input 'h' is a state, which the stream keeps");
  rung_stream_close(stream);

  ASSERT_EQ(rung_stream_open(session_, 0, &state, 1, &stream), RUNG_OK);
  ASSERT_EQ(rung_stream_step(stream, &input, 1), RUNG_OK);
  EXPECT_EQ(floatsOf(0), Floats({2, 3, 5}));
  rung_stream_close(stream);
  EXPECT_EQ(rung_stream_open(session_, 0, &input, 1, &stream),
            RUNG_INVALID_ARGUMENT);
}

TEST_F(SessionApiTest, TellsTheTime) {
  rung_result *result = run(100);
  rung_timing timing;
  rung_result_timing(result, &timing);
  rung_result_destroy(result);
  EXPECT_GT(timing.host_ms, 0);
  EXPECT_GE(timing.host_ms, timing.prepare_ms);
  EXPECT_EQ(timing.steps, 100);
  EXPECT_EQ(timing.batch, 1);
}

TEST_F(SessionApiTest, RunsAgainOnWhatTheDeviceHas) {
  rung_timing timing = {};
  EXPECT_EQ(rung_run_again(session_, &timing), RUNG_FAILED_PRECONDITION);
  EXPECT_STREQ(rung_last_error(),
               "nothing has run in this session that could run again");
  rung_result_destroy(run(50));
  ASSERT_EQ(rung_run_again(session_, &timing), RUNG_OK) << rung_last_error();
  EXPECT_EQ(timing.steps, 50);
  EXPECT_EQ(timing.batch, 1);
  EXPECT_GT(timing.host_ms, 0);
  rung_session *reference = nullptr;
  ASSERT_EQ(rung_session_create(bundle_, "reference", &reference), RUNG_OK);
  EXPECT_EQ(rung_run_again(reference, &timing), RUNG_FAILED_PRECONDITION);
  rung_session_destroy(reference);
}

TEST_F(SessionApiTest, OutlivesItsBundle) {
  rung_bundle_close(bundle_);
  bundle_ = nullptr;
  rung_result *result = run(1);
  rung_session_destroy(session_);
  session_ = nullptr;
  EXPECT_EQ(floats(result, 0), w_);
  rung_result_destroy(result);
}

TEST_F(SessionApiTest, ExplainsWrongInputs) {
  const int64_t shape[] = {1, 1, 4};
  const float x[4] = {};
  const rung_tensor input = {"x", RUNG_F32, 3, shape, x};
  rung_result *result = nullptr;
  EXPECT_EQ(rung_run(session_, 0, &input, 1, &result), RUNG_INVALID_ARGUMENT);
  EXPECT_STREQ(rung_last_error(),
               "input 'x' is f32[1, 1, 4]; f32[T, B, 3] is needed\n"
               "  while binding the inputs of function 'decay'");
  EXPECT_EQ(rung_run(session_, 5, &input, 1, &result), RUNG_INVALID_ARGUMENT);
  EXPECT_STREQ(rung_last_error(), "function 5 is not below 1");
  EXPECT_EQ(result, nullptr);
}

TEST_F(SessionApiTest, LetsThreadsTakeTurns) {
  std::vector<std::thread> threads;
  for (int64_t steps : {1, 2, 3, 4})
    threads.emplace_back([this, steps] {
      for (int i = 0; i < 10; ++i) {
        rung_result *result = run(steps);
        ASSERT_NE(result, nullptr);
        const Floats y = floats(result, 0);
        EXPECT_EQ(y.size(), size_t(steps) * 3);
        EXPECT_FLOAT_EQ(y[size_t(steps) * 3 - 3],
                        2 - float(std::pow(0.5, steps - 1)));
        rung_result_destroy(result);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(SessionApiTest, GoesToTheReferenceByName) {
  rung_session *reference = nullptr;
  ASSERT_EQ(rung_session_create(bundle_, "reference", &reference), RUNG_OK)
      << rung_last_error();
  EXPECT_STREQ(rung_session_device(reference), "reference");
  EXPECT_STREQ(rung_session_variant(reference), "reference");
  rung_session_destroy(reference);
}

TEST_F(SessionApiTest, RefusesDevicesAndOptionsThatMakeNoSense) {
  rung_session *none = nullptr;
  EXPECT_EQ(rung_session_create(bundle_, "no such device", &none),
            RUNG_NOT_FOUND);
  EXPECT_TRUE(std::string(rung_last_error())
                  .ends_with("while creating a session on device 'no such "
                             "device'"))
      << rung_last_error();
  rung_options options = {};
  EXPECT_EQ(rung_session_create_with(bundle_, &options, &none),
            RUNG_INVALID_ARGUMENT);
  options.struct_size = sizeof(options) + 1;
  EXPECT_EQ(rung_session_create_with(bundle_, &options, &none),
            RUNG_INVALID_ARGUMENT);
  options.struct_size = sizeof(options);
  for (double timeout : {-1.0, 1e300, std::nan("")}) {
    options.timeout_seconds = timeout;
    EXPECT_EQ(rung_session_create_with(bundle_, &options, &none),
              RUNG_INVALID_ARGUMENT);
  }
  EXPECT_EQ(none, nullptr);
  rung_session_destroy(nullptr);
  rung_result_destroy(nullptr);
}

TEST_F(SessionApiTest, ListsDevicesWithProfiles) {
  rung_device_list *list = nullptr;
  ASSERT_EQ(rung_device_list_create(&list), RUNG_OK) << rung_last_error();
  ASSERT_GE(rung_device_list_count(list), 1u);
  EXPECT_STREQ(rung_device_list_note(list), "");
  rung_device_info info;
  ASSERT_EQ(rung_device_list_get(list, 0, &info), RUNG_OK);
  EXPECT_EQ(info.name, snapshot().name);
  EXPECT_EQ(info.kind, toString(snapshot().kind));
  EXPECT_EQ(info.api, formatApiVersion(snapshot().apiVersion));
  EXPECT_EQ(info.driver, snapshot().driver);
  Result<Profile> profile = parseProfile(info.profile_json);
  ASSERT_TRUE(profile.isOk()) << profile.status().message();
  EXPECT_EQ(*profile, toProfile(snapshot()));
  EXPECT_EQ(rung_device_list_get(list, 99, &info), RUNG_INVALID_ARGUMENT);
  rung_device_list_destroy(list);
  rung_device_list_destroy(nullptr);
}

} // namespace

} // namespace rung::test
