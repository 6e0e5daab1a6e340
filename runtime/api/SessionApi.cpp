//===- SessionApi.cpp - rung.h: devices, sessions, runs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/Handles.h"
#include "runtime/api/LastError.h"
#include "runtime/api/Session.h"
#include "runtime/base/Text.h"
#include "runtime/vulkan/VulkanBackend.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

using namespace rung;

struct rung_device_list {
  struct Entry {
    std::string name, kind, api, driver, profile;
  };
  std::vector<Entry> entries;
  std::string note;
};

struct rung_result {
  std::unique_ptr<RunResult> result;
};

/// A year; longer waits overflow nothing but patience.
static constexpr double kMaxTimeoutSeconds = 365.0 * 24 * 3600;

static Result<std::chrono::nanoseconds> toTimeout(double seconds) {
  if (!(seconds >= 0 && seconds <= kMaxTimeoutSeconds))
    return Status(StatusCode::InvalidArgument,
                  concat("timeout ", seconds, " s is not within 0 to ",
                         kMaxTimeoutSeconds, " s"));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(seconds == 0 ? 600 : seconds));
}

/// A caller's options, with zeros for what its header did not have.
static Result<rung_options> readOptions(const rung_options &from) {
  rung_options options = {};
  constexpr size_t kOldest = offsetof(rung_options, no_device_clock);
  if (from.struct_size < kOldest || from.struct_size > sizeof(options))
    return Status(StatusCode::InvalidArgument,
                  concat("struct_size is ", from.struct_size,
                         "; rung_options has ", kOldest, " to ",
                         sizeof(options), " bytes"));
  std::memcpy(&options, &from, from.struct_size);
  return options;
}

extern "C" {

rung_code rung_device_list_create(rung_device_list **list) {
  return guarded([&]() -> Status {
    RUNG_ASSIGN_OR_RETURN(DeviceList from, listDevices());
    auto result = std::make_unique<rung_device_list>();
    result->note = from.note;
    for (const DeviceSnapshot &device : from.devices)
      result->entries.push_back(
          {device.name, std::string(toString(device.kind)),
           formatApiVersion(device.apiVersion), device.driver,
           writeProfile(toProfile(device))});
    *list = result.release();
    return Status::ok();
  });
}

void rung_device_list_destroy(rung_device_list *list) { delete list; }

size_t rung_device_list_count(const rung_device_list *list) {
  return list->entries.size();
}

rung_code rung_device_list_get(const rung_device_list *list, size_t index,
                               rung_device_info *info) {
  return guarded([&]() -> Status {
    if (index >= list->entries.size())
      return Status(
          StatusCode::InvalidArgument,
          concat("device ", index, " is not below ", list->entries.size()));
    const rung_device_list::Entry &entry = list->entries[index];
    *info = {.name = entry.name.c_str(),
             .kind = entry.kind.c_str(),
             .api = entry.api.c_str(),
             .driver = entry.driver.c_str(),
             .profile_json = entry.profile.c_str()};
    return Status::ok();
  });
}

const char *rung_device_list_note(const rung_device_list *list) {
  return list->note.c_str();
}

rung_code rung_session_create(const rung_bundle *bundle, const char *device,
                              rung_session **session) {
  rung_options options = {};
  options.struct_size = sizeof(options);
  options.device = device;
  return rung_session_create_with(bundle, &options, session);
}

rung_code rung_session_create_with(const rung_bundle *bundle,
                                   const rung_options *options,
                                   rung_session **session) {
  return guarded([&]() -> Status {
    RUNG_ASSIGN_OR_RETURN(rung_options given, readOptions(*options));
    BackendOptions backend = {.clock = given.no_device_clock == 0,
                              .memoryLimit = given.memory_limit,
                              .segmentSteps = given.segment_steps};
    RUNG_ASSIGN_OR_RETURN(backend.timeout, toTimeout(given.timeout_seconds));
    RUNG_ASSIGN_OR_RETURN(std::unique_ptr<Session> made,
                          Session::create(bundle->interface,
                                          given.device ? given.device : "",
                                          backend));
    *session = new rung_session{std::move(made)};
    return Status::ok();
  });
}

void rung_session_destroy(rung_session *session) { delete session; }

const char *rung_session_device(const rung_session *session) {
  return session->session->backend().deviceName().c_str();
}

const char *rung_session_variant(const rung_session *session) {
  return session->session->backend().variantName().c_str();
}

const char *rung_session_explanation(const rung_session *session) {
  return session->session->backend().explanation().c_str();
}

void rung_session_memory(const rung_session *session, rung_memory *memory) {
  const MemoryUsed used = session->session->memory();
  *memory = {.device_bytes = used.deviceBytes,
             .staging_bytes = used.stagingBytes};
}

rung_code rung_run(rung_session *session, size_t function,
                   const rung_tensor *inputs, size_t input_count,
                   rung_result **result) {
  return guarded([&]() -> Status {
    RUNG_ASSIGN_OR_RETURN(
        std::unique_ptr<RunResult> made,
        session->session->run(function, {inputs, input_count}));
    *result = new rung_result{std::move(made)};
    return Status::ok();
  });
}

rung_code rung_run_again(rung_session *session, rung_timing *timing) {
  return guarded([&]() -> Status {
    RUNG_ASSIGN_OR_RETURN(*timing, session->session->runAgain());
    return Status::ok();
  });
}

void rung_result_destroy(rung_result *result) { delete result; }

size_t rung_result_output_count(const rung_result *result) {
  return result->result->outputs.size();
}

rung_code rung_result_output(const rung_result *result, size_t index,
                             rung_tensor *output) {
  return guarded([&]() -> Status {
    if (index >= result->result->outputs.size())
      return Status(StatusCode::InvalidArgument,
                    concat("output ", index, " is not below ",
                           result->result->outputs.size()));
    const RunResult::Output &from = result->result->outputs[index];
    *output = {.name = from.port->name,
               .dtype = from.port->dtype,
               .rank = static_cast<uint32_t>(from.shape.size()),
               .shape = from.shape.data(),
               .data = from.bytes.get()};
    return Status::ok();
  });
}

void rung_result_timing(const rung_result *result, rung_timing *timing) {
  *timing = result->result->timing;
}

uint32_t rung_result_segments(const rung_result *result) {
  return result->result->segments;
}

} // extern "C"
