/*===- rung.h - load a compiled recurrent model and run it ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0
 *
 * A bundle (`model.rung`) is opened, its functions and their ports are asked
 * for, a session is made on a device, and functions are run with host memory
 * in and out:
 *
 *   rung_bundle *bundle; rung_session *session; rung_result *result;
 *   if (rung_bundle_open("model.rung", &bundle) != RUNG_OK)
 *     return fail(rung_last_error());
 *   if (rung_session_create(bundle, NULL, &session) != RUNG_OK)
 *     return fail(rung_last_error());
 *   rung_tensor x = {"x", RUNG_F32, 3, shape, data};
 *   if (rung_run(session, 0, &x, 1, &result) != RUNG_OK)
 *     return fail(rung_last_error());
 *
 * Rules that hold for every function:
 * - A function that can fail returns a `rung_code`; on failure it leaves its
 *   output parameters as they were, and `rung_last_error` tells what happened.
 * - Pointers that a query hands out belong to the object asked and live as
 *   long as it does. Strings are UTF-8 and end with a zero byte.
 * - A query with an index that is out of range gives RUNG_INVALID_ARGUMENT,
 *   NULL or 0. Handles are never NULL unless a function says that it may be.
 * - Bundles and device lists don't change and may be used by many threads at
 *   once. A session may be used by many threads; runs of one session happen one
 *   after another. A result belongs to one thread at a time.
 * - The library never prints and never ends the process.
 *
 * The binary interface: enumerators keep their values and structures their
 * layout for as long as RUNG_API_VERSION stays the same. Enumerations travel
 * as `int`.
 *===----------------------------------------------------------------------===*/

#ifndef RUNG_RUNTIME_RUNG_H
#define RUNG_RUNTIME_RUNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Any `int` is a value of the enumerations, also in C++. */
#ifdef __cplusplus
#define RUNG_AS_INT : int
#else
#define RUNG_AS_INT
#endif

/** The version of this header; compare with `rung_api_version`. */
#define RUNG_API_VERSION 1

/** The version of the library's binary interface. A program compiled with
 * another RUNG_API_VERSION must not call anything else. */
uint32_t rung_api_version(void);

/** The library's own version, such as "0.1.0". */
const char *rung_version(void);

/*===--- Errors -----------------------------------------------------------===*/

/** What kind of thing went wrong. */
typedef enum rung_code RUNG_AS_INT {
  RUNG_OK = 0,
  RUNG_INVALID_ARGUMENT = 1,   /* a value of the caller's: shape, type, index */
  RUNG_NOT_FOUND = 2,          /* no such file, function, device or asset */
  RUNG_INVALID_DATA = 3,       /* the bundle is damaged, or no bundle */
  RUNG_UNSUPPORTED = 4,        /* the device lacks what the bundle needs */
  RUNG_RESOURCE_EXHAUSTED = 5, /* memory, or a limit of the device */
  RUNG_IO = 6,                 /* the operating system refused a file */
  RUNG_DEVICE = 7,             /* a driver's error, a lost device, a run that
                                  took too long; the session runs no more */
  RUNG_FAILED_PRECONDITION = 8 /* a session that runs no more */
} rung_code;

/** The message of the last failure in this thread: what is wrong, with
 * values, then one line "while ..." for each thing that was being done.
 * Empty if nothing failed yet. Lives until the next failure in this thread. */
const char *rung_last_error(void);

/** The code's name in words, such as "device lost"; never NULL. */
const char *rung_code_name(rung_code code);

/*===--- Element types and shapes -----------------------------------------===*/

typedef enum rung_dtype RUNG_AS_INT {
  RUNG_F32 = 0,
  RUNG_F16 = 1,
  RUNG_BF16 = 2,
  RUNG_F64 = 3,
  RUNG_I32 = 4,
  RUNG_I16 = 5,
  RUNG_S8 = 6,
  RUNG_U8 = 7
} rung_dtype;

/** Bytes of one element; 0 if `dtype` is none of the above. */
size_t rung_dtype_size(rung_dtype dtype);

/** The type's short name, such as "f32"; never NULL. */
const char *rung_dtype_name(rung_dtype dtype);

/** Extents that a port leaves open: the number of time steps, and of rows. */
#define RUNG_DIM_T (-1)
#define RUNG_DIM_B (-2)

/** No state link, no token. */
#define RUNG_NONE (-1)

/*===--- Bundles ----------------------------------------------------------===*/

typedef struct rung_bundle rung_bundle;

/** Opens and verifies a bundle. Nothing else needs to check it again. The
 * file is mapped: it must stay as it is until the bundle is closed. */
rung_code rung_bundle_open(const char *path, rung_bundle **bundle);

/** As `rung_bundle_open`, from memory, which is copied. */
rung_code rung_bundle_open_memory(const void *data, size_t size,
                                  rung_bundle **bundle);

/** Closes a bundle; NULL is allowed. Sessions that were made of it live on. */
void rung_bundle_close(rung_bundle *bundle);

/** One input or output of a function. Elements are dense, last axis fastest. */
typedef struct rung_port {
  const char *name;
  rung_dtype dtype;
  uint32_t rank;
  const int64_t *dims; /* `rank` of them: RUNG_DIM_T, RUNG_DIM_B or an extent */
  int32_t state;       /* index of the state link it is part of, or RUNG_NONE */
} rung_port;

/** An output that is to be given to an input of the next call. */
typedef struct rung_state {
  const char *name;
  uint32_t input;  /* index among the function's inputs */
  uint32_t output; /* index among the function's outputs */
} rung_state;

size_t rung_bundle_function_count(const rung_bundle *bundle);

/** The function's name; NULL if there is no such function. */
const char *rung_bundle_function_name(const rung_bundle *bundle,
                                      size_t function);

/** RUNG_NOT_FOUND names the functions that there are. */
rung_code rung_bundle_find_function(const rung_bundle *bundle, const char *name,
                                    size_t *function);

size_t rung_function_input_count(const rung_bundle *bundle, size_t function);
size_t rung_function_output_count(const rung_bundle *bundle, size_t function);
size_t rung_function_state_count(const rung_bundle *bundle, size_t function);

rung_code rung_function_input(const rung_bundle *bundle, size_t function,
                              size_t index, rung_port *port);
rung_code rung_function_output(const rung_bundle *bundle, size_t function,
                               size_t index, rung_port *port);
rung_code rung_function_state(const rung_bundle *bundle, size_t function,
                              size_t index, rung_state *state);

/** How the bundle came to be; each string may be empty. */
typedef struct rung_provenance {
  const char *tool_version;
  const char *pipeline;
  const char *options;
  const char *source_digest;
} rung_provenance;

void rung_bundle_provenance(const rung_bundle *bundle,
                            rung_provenance *provenance);

/** The bundle holds one set of kernels, a variant, for each device profile that
 * it was compiled for. */
size_t rung_bundle_variant_count(const rung_bundle *bundle);

/** The profile that a variant was compiled for; NULL if out of range. */
const char *rung_bundle_variant_profile(const rung_bundle *bundle,
                                        size_t variant);

/** Files that travel with the model, such as vocabularies. */
size_t rung_bundle_asset_count(const rung_bundle *bundle);
const char *rung_bundle_asset_name(const rung_bundle *bundle, size_t asset);
rung_code rung_bundle_asset(const rung_bundle *bundle, const char *name,
                            const void **data, size_t *size);

/** The model's text at each stage of compilation, where it was kept. */
size_t rung_bundle_stage_count(const rung_bundle *bundle);
rung_code rung_bundle_stage(const rung_bundle *bundle, size_t stage,
                            const char **name, const char **text);

/** How a function is used to generate a sequence token by token. Strings that
 * do not apply are empty. */
typedef struct rung_generation {
  const char *prompt_function;  /* reads the whole prompt; its states start
                                   this function's of the same names. Empty:
                                   this function reads the prompt itself. */
  const char *prompt_input;     /* that function's input of tokens */
  const char *token_input;      /* this function's input of tokens, i32 [T,B] */
  const char *token_output;     /* output that holds the next token, or empty */
  const char *logits_output;    /* output that holds its logits, or empty */
  const char *input_vocabulary; /* asset: one symbol a line, line number = id */
  const char *output_vocabulary; /* the same for the tokens that come out */
  const int32_t *append;         /* tokens to put behind the prompt */
  size_t append_count;
  int32_t start;      /* first token given to this function;
                         RUNG_NONE: the prompt's last token */
  int32_t stop;       /* token that ends the text, or RUNG_NONE */
  uint32_t max_steps; /* 0: no limit of its own */
} rung_generation;

/** RUNG_NOT_FOUND if the function is not made for generation. */
rung_code rung_function_generation(const rung_bundle *bundle, size_t function,
                                   rung_generation *generation);

/*===--- Devices ----------------------------------------------------------===*/

typedef struct rung_device_list rung_device_list;

typedef struct rung_device_info {
  const char *name;         /* as the driver gives it */
  const char *kind;         /* "discrete", "integrated", "virtual", "cpu" or
                               "other" */
  const char *api;          /* Vulkan version, such as "1.4.309" */
  const char *driver;       /* driver's name and version */
  const char *profile_json; /* the device profile that the compiler reads */
} rung_device_info;

/** Lists the Vulkan devices of this machine in the order of their indices. A
 * machine without Vulkan has an empty list, and `rung_device_list_note` says
 * why it is empty. */
rung_code rung_device_list_create(rung_device_list **list);

/** NULL is allowed. */
void rung_device_list_destroy(rung_device_list *list);

size_t rung_device_list_count(const rung_device_list *list);
rung_code rung_device_list_get(const rung_device_list *list, size_t index,
                               rung_device_info *info);

/** Why the list is empty, such as that there is no Vulkan loader; "" if it is
 * not. */
const char *rung_device_list_note(const rung_device_list *list);

/*===--- Sessions ---------------------------------------------------------===*/

typedef struct rung_session rung_session;

/** What a session is made with. Set `struct_size` to sizeof(rung_options) and
 * everything that is not wanted to zero. The structure grows at its end: a
 * program that knows only the beginning of it gives zeros for the rest. */
typedef struct rung_options {
  size_t struct_size;
  const char *device;     /* see rung_session_create */
  double timeout_seconds; /* longest that a run may take; 0: 600 seconds */
  int no_device_clock;    /* not 0: runs take no times on the device, which
                             makes short ones shorter; `device_ms` is negative
                             and `transfer_ms` 0 */
  uint32_t segment_steps; /* at most so many steps of a run at a time, see
                             rung_run; 0: as many as memory allows */
  uint64_t memory_limit;  /* bytes of the device that weights and one function's
                             buffers may take; 0: what the device has */
} rung_options;

/** Makes a session: one bundle on one device, with its weights uploaded.
 *
 * `device` is an index into the device list in decimal digits, or a part of a
 * device's name in any case. NULL or "" takes the first device of the best
 * kind: discrete, integrated, virtual, cpu. Three names need no device:
 *
 *   "reference"  interprets what the kernels compute, their roundings
 *                modelled and integers to the bit;
 *   "exact"      interprets the model as it was given, in double precision;
 *   "exact-own"  the same with the weights that the kernels use, so that only
 *                arithmetic is left between it and a device.
 *
 * The exact ones carry states in double precision within a run, and pass a
 * state on as it came that only the kernels have: that of random numbers. All
 * three take about 8 bytes an element of each sequence: many steps are best
 * run in parts, with the states fed back.
 *
 * The environment variable RUNG_COOPMAT=0 makes every device look as if it had
 * no cooperative matrices. */
rung_code rung_session_create(const rung_bundle *bundle, const char *device,
                              rung_session **session);

/** As above, with more to say. */
rung_code rung_session_create_with(const rung_bundle *bundle,
                                   const rung_options *options,
                                   rung_session **session);

/** NULL is allowed. No run may be in progress; results live on. */
void rung_session_destroy(rung_session *session);

/** The device's name as the driver gives it, or that of an interpreter. */
const char *rung_session_device(const rung_session *session);

/** The profile of the variant that runs, or the interpreter's name. */
const char *rung_session_variant(const rung_session *session);

/** What a session has allocated, in bytes. */
typedef struct rung_memory {
  uint64_t device_bytes;  /* of the device: weights, inputs, outputs and what
                             kernels work in */
  uint64_t staging_bytes; /* for copies to and from the host */
} rung_memory;

/** Zeros for an interpreter. */
void rung_session_memory(const rung_session *session, rung_memory *memory);

/** Why that variant: one line for it, and one for each that was passed over. */
const char *rung_session_explanation(const rung_session *session);

/*===--- Runs -------------------------------------------------------------===*/

/** An array in host memory. Elements are dense, last axis fastest. */
typedef struct rung_tensor {
  const char *name; /* the port's */
  rung_dtype dtype;
  uint32_t rank;
  const int64_t *shape;
  const void *data; /* may be NULL where the shape has no elements */
} rung_tensor;

typedef struct rung_result rung_result;

/** Runs one function once, as one submission to the device, and waits for it.
 *
 * `inputs` name the function's input ports in any order; types and shapes must
 * be the ports', with one T and one B throughout. A state's input may be left
 * out and is zeros then; any other may not. If no given input has T in its
 * shape then T is 1, and so for B. Calls share no state but what is passed.
 *
 * Inputs are read before the function returns. The result owns the outputs;
 * free it with `rung_result_destroy`.
 *
 * On a device, steps that do not fit its memory, or the session's limit, are
 * worked on in segments of time, states handed on by the device, still in one
 * submission and with the same bits, where the function allows it: forward
 * recurrences without lengths whose states are inputs and outputs. A function
 * that does not, or that fits in no segment, gives RUNG_RESOURCE_EXHAUSTED. */
rung_code rung_run(rung_session *session, size_t function,
                   const rung_tensor *inputs, size_t input_count,
                   rung_result **result);

/** NULL is allowed. */
void rung_result_destroy(rung_result *result);

/** As many as the function has output ports, in their order. */
size_t rung_result_output_count(const rung_result *result);
rung_code rung_result_output(const rung_result *result, size_t index,
                             rung_tensor *output);

/** Where a run's time went, in milliseconds. */
typedef struct rung_timing {
  double host_ms;     /* the whole call */
  double prepare_ms;  /* of it, making buffers and recording commands; next to 0
                         when T and B are those of the run before */
  double device_ms;   /* kernels on the device, by its own clock; negative if it
                         has none */
  double transfer_ms; /* copies of inputs and outputs, likewise; 0 where the
                         device works in host memory */
  int64_t steps;      /* T */
  int64_t batch;      /* B */
} rung_timing;

void rung_result_timing(const rung_result *result, rung_timing *timing);

/** Into how many segments of time the run's steps were cut; 1: none. */
uint32_t rung_result_segments(const rung_result *result);

/** Runs once more what `rung_run` ran last in this session, on the inputs that
 * are on the device, and leaves the outputs there: for timing kernels without
 * the host's copies. Fails where nothing ran, on the reference, for streams. */
rung_code rung_run_again(rung_session *session, rung_timing *timing);

typedef struct rung_stream rung_stream;

/** Opens a stream: a function's steps, one at a time, each from the states that
 * the one before left, the first from `states` or zeros; those tell B, too (1).
 * Where the function was compiled as a stream (rnn-request-stream), steps wait
 * for their input on the device, if it can; else a step is a run of T 1. One
 * thread at a time uses a stream, and its session outlives it. */
rung_code rung_stream_open(rung_session *session, size_t function,
                           const rung_tensor *states, size_t state_count,
                           rung_stream **stream);
/** One step: `inputs` are those of T 1 that are no states. */
rung_code rung_stream_step(rung_stream *stream, const rung_tensor *inputs,
                           size_t input_count);
/** An output of the last step, until the next; a state's takes a while. */
rung_code rung_stream_output(rung_stream *stream, size_t index,
                             rung_tensor *output);
/** NULL is allowed. */
void rung_stream_close(rung_stream *stream);
#ifdef __cplusplus
}
#endif

#endif /* RUNG_RUNTIME_RUNG_H */
