//===- BundleApi.cpp - rung.h: versions, types, bundles ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/Handles.h"
#include "runtime/api/LastError.h"
#include "runtime/base/Text.h"

#include <optional>
#include <string_view>
#include <vector>

using namespace rung;

namespace {

const fb::Bundle &rootOf(const rung_bundle *bundle) {
  return bundle->interface->reader.root();
}

/// Null if there is no such function.
const FunctionInfo *findInfo(const rung_bundle *bundle, size_t function) {
  const auto &functions = bundle->interface->functions;
  return function < functions.size() ? &functions[function] : nullptr;
}

Status noSuch(std::string_view what, size_t index, size_t count) {
  return Status(StatusCode::InvalidArgument,
                concat(what, " ", index, " is not below ", count));
}

Status noSuchFunction(const rung_bundle *bundle, size_t function) {
  return noSuch("function", function, bundle->interface->functions.size());
}

template <typename Vector>
std::vector<std::string> quotedNames(const Vector &entries) {
  std::vector<std::string> names;
  for (const auto *entry : entries)
    names.push_back(quote(entry->name()->string_view()));
  return names;
}

rung_code getPort(const rung_bundle *bundle, size_t function, size_t index,
                  bool isInput, rung_port *port) {
  return guarded([&]() -> Status {
    const FunctionInfo *info = findInfo(bundle, function);
    if (!info)
      return noSuchFunction(bundle, function);
    const std::vector<PortInfo> &ports = isInput ? info->inputs : info->outputs;
    if (index >= ports.size())
      return noSuch(isInput ? "input" : "output", index, ports.size());
    *port = ports[index].view();
    return Status::ok();
  });
}

} // namespace

extern "C" {

uint32_t rung_api_version(void) { return RUNG_API_VERSION; }
const char *rung_version(void) { return RUNG_VERSION; }

size_t rung_dtype_size(rung_dtype dtype) {
  return unsigned(dtype) <= RUNG_U8 ? byteSize(ScalarType(dtype)) : 0;
}

const char *rung_dtype_name(rung_dtype dtype) {
  // The names are literals, so that they end with a zero byte.
  return unsigned(dtype) <= RUNG_U8 ? toString(ScalarType(dtype)).data()
                                    : "unknown";
}

rung_code rung_bundle_open(const char *path, rung_bundle **bundle) {
  return guarded([&]() -> Status {
    RUNG_ASSIGN_OR_RETURN(BundleReader reader, BundleReader::open(path));
    *bundle =
        new rung_bundle{std::make_shared<const Interface>(std::move(reader))};
    return Status::ok();
  });
}

rung_code rung_bundle_open_memory(const void *data, size_t size,
                                  rung_bundle **bundle) {
  return guarded([&]() -> Status {
    RUNG_ASSIGN_OR_RETURN(
        BundleReader reader,
        BundleReader::fromBytes({static_cast<const std::byte *>(data), size})
            .while_(concat("opening a bundle of ", size, " bytes in memory")));
    *bundle =
        new rung_bundle{std::make_shared<const Interface>(std::move(reader))};
    return Status::ok();
  });
}

void rung_bundle_close(rung_bundle *bundle) { delete bundle; }

size_t rung_bundle_function_count(const rung_bundle *bundle) {
  return bundle->interface->functions.size();
}

const char *rung_bundle_function_name(const rung_bundle *bundle,
                                      size_t function) {
  const FunctionInfo *info = findInfo(bundle, function);
  return info ? info->name : nullptr;
}

rung_code rung_bundle_find_function(const rung_bundle *bundle, const char *name,
                                    size_t *function) {
  return guarded([&]() -> Status {
    std::optional<uint32_t> index =
        bundle->interface->reader.findFunction(name);
    if (!index)
      return Status(StatusCode::NotFound,
                    concat("there is no function ", quote(name), "; there are ",
                           joined(quotedNames(*rootOf(bundle).functions()))));
    *function = *index;
    return Status::ok();
  });
}

size_t rung_function_input_count(const rung_bundle *bundle, size_t function) {
  const FunctionInfo *info = findInfo(bundle, function);
  return info ? info->inputs.size() : 0;
}

size_t rung_function_output_count(const rung_bundle *bundle, size_t function) {
  const FunctionInfo *info = findInfo(bundle, function);
  return info ? info->outputs.size() : 0;
}

size_t rung_function_state_count(const rung_bundle *bundle, size_t function) {
  return findInfo(bundle, function) ? rootOf(bundle)
                                          .functions()
                                          ->Get(uint32_t(function))
                                          ->states()
                                          ->size()
                                    : 0;
}

rung_code rung_function_input(const rung_bundle *bundle, size_t function,
                              size_t index, rung_port *port) {
  return getPort(bundle, function, index, /*isInput=*/true, port);
}

rung_code rung_function_output(const rung_bundle *bundle, size_t function,
                               size_t index, rung_port *port) {
  return getPort(bundle, function, index, /*isInput=*/false, port);
}

rung_code rung_function_state(const rung_bundle *bundle, size_t function,
                              size_t index, rung_state *state) {
  return guarded([&]() -> Status {
    if (!findInfo(bundle, function))
      return noSuchFunction(bundle, function);
    const size_t count = rung_function_state_count(bundle, function);
    if (index >= count)
      return noSuch("state", index, count);
    const fb::StateLink &link = *rootOf(bundle)
                                     .functions()
                                     ->Get(uint32_t(function))
                                     ->states()
                                     ->Get(uint32_t(index));
    *state = {link.name()->c_str(), link.input(), link.output()};
    return Status::ok();
  });
}

rung_code rung_function_generation(const rung_bundle *bundle, size_t function,
                                   rung_generation *generation) {
  return guarded([&]() -> Status {
    const FunctionInfo *info = findInfo(bundle, function);
    if (!info)
      return noSuchFunction(bundle, function);
    const fb::Generation *from =
        rootOf(bundle).functions()->Get(uint32_t(function))->generation();
    if (!from)
      return Status(StatusCode::NotFound,
                    concat("function ", quote(info->name),
                           " is not made for generation"));
    *generation = {.prompt_function = from->prompt_function()->c_str(),
                   .prompt_input = from->prompt_input()->c_str(),
                   .token_input = from->token_input()->c_str(),
                   .token_output = from->token_output()->c_str(),
                   .logits_output = from->logits_output()->c_str(),
                   .input_vocabulary = from->input_vocabulary()->c_str(),
                   .output_vocabulary = from->output_vocabulary()->c_str(),
                   .append = from->append()->data(),
                   .append_count = from->append()->size(),
                   .start = from->start(),
                   .stop = from->stop(),
                   .max_steps = from->max_steps()};
    return Status::ok();
  });
}

} // extern "C"
