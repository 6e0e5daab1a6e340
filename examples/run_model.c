/*===- run_model.c - a bundle from C -------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0
 *
 * Runs one function of a bundle with every input zero and prints what comes
 * out, then once more with the states that the first run gave:
 *
 *   run_model model.rung FUNCTION STEPS BATCH [DEVICE]
 *===----------------------------------------------------------------------===*/

#include "runtime/rung.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxPorts = 16, kMaxRank = 8, kShown = 4 };

static int fail(const char *what) {
  fprintf(stderr, "run_model: %s: %s\n", what, rung_last_error());
  return 1;
}

/* Inputs of zeros with the shapes that the ports ask for. */
struct arguments {
  size_t count;
  rung_tensor tensors[kMaxPorts];
  int64_t shapes[kMaxPorts][kMaxRank];
};

static void free_arguments(struct arguments *arguments) {
  for (size_t i = 0; i < arguments->count; ++i)
    free((void *)arguments->tensors[i].data);
}

static int make_arguments(const rung_bundle *bundle, size_t function,
                          int64_t steps, int64_t batch,
                          struct arguments *arguments) {
  size_t ports = rung_function_input_count(bundle, function);
  arguments->count = 0;
  for (size_t i = 0; i < ports && i < kMaxPorts; ++i) {
    rung_port port;
    if (rung_function_input(bundle, function, i, &port) != RUNG_OK)
      return fail("asking for an input");
    if (port.state != RUNG_NONE || port.rank > kMaxRank)
      continue; /* A state that is left out is zeros. */
    size_t bytes = rung_dtype_size(port.dtype);
    int64_t *shape = arguments->shapes[arguments->count];
    for (uint32_t axis = 0; axis < port.rank; ++axis) {
      shape[axis] = port.dims[axis] == RUNG_DIM_T   ? steps
                    : port.dims[axis] == RUNG_DIM_B ? batch
                                                    : port.dims[axis];
      bytes *= (size_t)shape[axis];
    }
    rung_tensor tensor = {port.name, port.dtype, port.rank, shape,
                          calloc(bytes ? bytes : 1, 1)};
    arguments->tensors[arguments->count++] = tensor;
  }
  return 0;
}

static void print_output(const rung_tensor *output) {
  printf("%s: %s[", output->name, rung_dtype_name(output->dtype));
  size_t elements = 1;
  for (uint32_t axis = 0; axis < output->rank; ++axis) {
    printf("%s%" PRId64, axis ? ", " : "", output->shape[axis]);
    elements *= (size_t)output->shape[axis];
  }
  printf("] =");
  for (size_t i = 0; i < elements && i < kShown; ++i)
    if (output->dtype == RUNG_F32)
      printf(" %g", ((const float *)output->data)[i]);
    else if (output->dtype == RUNG_I32)
      printf(" %" PRId32, ((const int32_t *)output->data)[i]);
  printf("%s\n", elements > kShown ? " ..." : "");
}

static int print_result(const rung_result *result) {
  rung_timing timing;
  rung_result_timing(result, &timing);
  for (size_t i = 0; i < rung_result_output_count(result); ++i) {
    rung_tensor output;
    if (rung_result_output(result, i, &output) != RUNG_OK)
      return fail("asking for an output");
    print_output(&output);
  }
  fprintf(stderr, "%.3f ms on the host, %.3f ms on the device\n",
          timing.host_ms, timing.device_ms);
  return 0;
}

/* Adds the states that came out of `result` to what goes into the next run.
 * They stay where they are: the result must live until then. */
static int feed_states(const rung_bundle *bundle, size_t function,
                       const rung_result *result, rung_tensor *inputs,
                       size_t *count) {
  for (size_t i = 0; i < rung_function_state_count(bundle, function); ++i) {
    rung_state state;
    rung_port port;
    rung_tensor output;
    if (rung_function_state(bundle, function, i, &state) != RUNG_OK ||
        rung_function_input(bundle, function, state.input, &port) != RUNG_OK ||
        rung_result_output(result, state.output, &output) != RUNG_OK)
      return fail("asking for a state");
    if (*count == kMaxPorts)
      return 0;
    output.name = port.name;
    inputs[(*count)++] = output;
  }
  return 0;
}

static int run_twice(rung_session *session, const rung_bundle *bundle,
                     size_t function, const struct arguments *arguments) {
  rung_result *first = NULL, *second = NULL;
  rung_tensor inputs[kMaxPorts];
  size_t count = arguments->count;
  for (size_t i = 0; i < count; ++i)
    inputs[i] = arguments->tensors[i];
  int failed = 1;
  if (rung_run(session, function, inputs, count, &first) != RUNG_OK)
    fail("running");
  else if (print_result(first) == 0 &&
           feed_states(bundle, function, first, inputs, &count) == 0) {
    if (rung_run(session, function, inputs, count, &second) != RUNG_OK)
      fail("running again");
    else
      failed = print_result(second);
  }
  rung_result_destroy(first);
  rung_result_destroy(second);
  return failed;
}

static int run_function(const rung_bundle *bundle, char **argv) {
  size_t function;
  if (rung_bundle_find_function(bundle, argv[2], &function) != RUNG_OK)
    return fail("finding the function");
  rung_session *session;
  if (rung_session_create(bundle, argv[5], &session) != RUNG_OK)
    return fail("opening a device");
  fprintf(stderr, "on %s: %s\n", rung_session_device(session),
          rung_session_explanation(session));
  struct arguments arguments;
  int failed = make_arguments(bundle, function, atoll(argv[3]), atoll(argv[4]),
                              &arguments) != 0 ||
               run_twice(session, bundle, function, &arguments) != 0;
  free_arguments(&arguments);
  rung_session_destroy(session);
  return failed;
}

int main(int argc, char **argv) {
  if (argc < 5 || argc > 6) {
    fprintf(stderr, "usage: run_model BUNDLE FUNCTION STEPS BATCH [DEVICE]\n");
    return 2;
  }
  if (rung_api_version() != RUNG_API_VERSION) {
    fprintf(stderr, "run_model: the library has another interface\n");
    return 1;
  }
  rung_bundle *bundle;
  if (rung_bundle_open(argv[1], &bundle) != RUNG_OK)
    return fail("opening the bundle");
  int failed = run_function(bundle, argv); /* argv[argc] is NULL. */
  rung_bundle_close(bundle);
  return failed;
}
