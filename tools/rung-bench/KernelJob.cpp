//===- KernelJob.cpp - a kernel to time, with its buffers -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/KernelJob.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Npy.h"
#include "runtime/base/Text.h"
#include "tools/rung-bench/JsonMembers.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

namespace rung::tools {
namespace {

Status wrong(const std::string &what) {
  return Status(StatusCode::InvalidData, what);
}

class JobReader {
public:
  explicit JobReader(const std::string &path)
      : folder_(std::filesystem::path(path).parent_path()) {}

  Result<KernelJob> read(const nlohmann::json &json) {
    KernelJob job;
    JsonMembers in(json, "a kernel");
    in.text("name", job.name, /*needed=*/true);
    in.text("spirv", job.spirvPath, /*needed=*/true);
    in.text("entry", job.entry);
    in.count("subgroup_size", job.subgroupSize);
    in.counts("push", job.push);
    in.count("dispatches", job.dispatches, 1u);
    in.count("repeat", job.repeat, 1u);
    in.count("warmup", job.warmup);
    in.number("operations", job.operations);
    in.number("bytes", job.bytes);
    in.number("steps", job.steps);
    std::vector<uint32_t> groups = {1, 1, 1};
    in.counts("groups", groups);
    if (groups.size() != 3)
      in.keep(concat("\"groups\" has ", groups.size(), " counts, not 3"));
    const nlohmann::json *buffers = in.find("buffers", /*needed=*/true);
    RUNG_RETURN_IF_ERROR(in.finish());
    std::ranges::copy(groups, job.groups.begin());
    RUNG_RETURN_IF_ERROR(
        readBuffers(*buffers, job)
            .while_(concat("reading kernel ", quote(job.name))));
    RUNG_RETURN_IF_ERROR(readModule(job));
    return job;
  }

private:
  Status readBuffers(const nlohmann::json &json, KernelJob &job) {
    if (!json.is_array())
      return wrong("\"buffers\" is no list");
    for (const nlohmann::json &one : json) {
      RUNG_ASSIGN_OR_RETURN(
          KernelBuffer buffer,
          readBuffer(one, concat("buffer ", job.buffers.size())));
      job.buffers.push_back(std::move(buffer));
    }
    return Status::ok();
  }

  Result<KernelBuffer> readBuffer(const nlohmann::json &json,
                                  const std::string &what) {
    KernelBuffer buffer;
    std::string type = "f32";
    JsonMembers in(json, what);
    in.text("file", buffer.file);
    in.text("type", type, /*needed=*/buffer.file.empty());
    in.count("elements", buffer.elements);
    in.number("value", buffer.value);
    in.number("random", buffer.random);
    in.count("seed", buffer.seed);
    in.flag("clear", buffer.clear);
    in.text("expect", buffer.expected);
    in.number("atol", buffer.tolerance.absolute);
    in.number("rtol", buffer.tolerance.relative);
    in.text("dump", buffer.dump);
    RUNG_RETURN_IF_ERROR(in.finish());
    std::optional<ScalarType> parsed = parseScalarType(type);
    if (!parsed)
      return wrong(concat("type ", quote(type), " of ", what, " is unknown"));
    buffer.type = *parsed;
    for (std::string *path : {&buffer.file, &buffer.expected, &buffer.dump})
      if (!path->empty())
        *path = complete(*path);
    return buffer;
  }

  Status readModule(KernelJob &job) {
    job.spirvPath = complete(job.spirvPath);
    RUNG_ASSIGN_OR_RETURN(MappedFile file, MappedFile::open(job.spirvPath));
    job.spirv.resize(file.bytes().size() / sizeof(uint32_t));
    std::memcpy(job.spirv.data(), file.bytes().data(),
                job.spirv.size() * sizeof(uint32_t));
    RUNG_ASSIGN_OR_RETURN(job.localSize,
                          readLocalSize(job.spirv).while_(
                              concat("reading ", quotePath(job.spirvPath))));
    return Status::ok();
  }

  std::string complete(const std::string &path) const {
    return (folder_ / path).string();
  }

  std::filesystem::path folder_;
};

Tensor randomBlock(const KernelBuffer &buffer, uint64_t elements) {
  Tensor block = Tensor::zeros(ScalarType::F64, {elements});
  std::mt19937_64 engine(buffer.seed);
  std::uniform_real_distribution<double> between(-buffer.random, buffer.random);
  for (double &value : block.values<double>())
    value = between(engine);
  return convert(block, buffer.type);
}

} // namespace

Result<Tensor> KernelBuffer::block() const {
  constexpr uint64_t kBlock = 65521; // A prime: no row of a matrix repeats.
  if (!file.empty()) {
    RUNG_ASSIGN_OR_RETURN(Tensor tensor, readNpy(file));
    if (tensor.data.empty() && elements > 0)
      return wrong(concat(quotePath(file), " has nothing to be repeated"));
    return tensor;
  }
  if (random > 0)
    return randomBlock(*this, std::min(kBlock, elements));
  Tensor tensor = Tensor::zeros(ScalarType::F64, {std::min(kBlock, elements)});
  std::ranges::fill(tensor.values<double>(), value);
  return convert(tensor, type);
}

Result<std::array<uint32_t, 3>>
readLocalSize(const std::vector<uint32_t> &spirv) {
  constexpr uint32_t kMagic = 0x07230203, kExecutionMode = 16, kLocalSize = 17;
  constexpr size_t kHeader = 5;
  if (spirv.size() < kHeader || spirv[0] != kMagic)
    return wrong("the file is no SPIR-V module");
  for (size_t at = kHeader; at < spirv.size();) {
    const uint32_t words = spirv[at] >> 16, opcode = spirv[at] & 0xffff;
    if (words == 0 || words > spirv.size() - at)
      return wrong(concat("instruction ", opcode, " at word ", at, " has ",
                          words, " words"));
    if (opcode == kExecutionMode && words == 6 && spirv[at + 2] == kLocalSize)
      return std::array<uint32_t, 3>{spirv[at + 3], spirv[at + 4],
                                     spirv[at + 5]};
    at += words;
  }
  return wrong("the module tells no size of its workgroups");
}

Result<std::vector<KernelJob>> readKernelJobs(const std::string &path) {
  const std::string context = concat("reading ", quotePath(path));
  RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(path));
  RUNG_ASSIGN_OR_RETURN(nlohmann::json json, parseJson(text).while_(context));
  if (!json.is_object() || !json.contains("kernels") ||
      !json["kernels"].is_array())
    return wrong("a file of jobs has a list of kernels").while_(context);
  std::vector<KernelJob> jobs;
  JobReader reader(path);
  for (const nlohmann::json &one : json["kernels"]) {
    RUNG_ASSIGN_OR_RETURN(KernelJob job, reader.read(one).while_(context));
    jobs.push_back(std::move(job));
  }
  return jobs;
}

} // namespace rung::tools
