//===- KernelJob.cpp - a kernel to time, with its buffers -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/KernelJob.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Npy.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <utility>

namespace rung::tools {
namespace {

Status wrong(const std::string &what) {
  return Status(StatusCode::InvalidData, what);
}

/// Reads the members of one JSON object; the first mistake is kept, and a
/// member that nobody asked for is one.
class Members {
public:
  Members(const nlohmann::json &json, std::string what)
      : json_(json), what_(std::move(what)) {
    if (!json_.is_object())
      keep(concat(what_, " is no object"));
  }

  const nlohmann::json *find(const char *key, bool needed = false) {
    asked_.push_back(key);
    if (json_.is_object() && json_.contains(key))
      return &json_[key];
    if (needed)
      keep(concat(what_, " has no \"", key, "\""));
    return nullptr;
  }

  void text(const char *key, std::string &to, bool needed = false) {
    const nlohmann::json *value = find(key, needed);
    if (value && value->is_string())
      to = value->get<std::string>();
    else if (value)
      keep(concat("\"", key, "\" of ", what_, " is no text"));
  }

  void number(const char *key, double &to) {
    const nlohmann::json *value = find(key);
    if (value && value->is_number() && std::isfinite(value->get<double>()))
      to = value->get<double>();
    else if (value)
      keep(concat("\"", key, "\" of ", what_, " is no number"));
  }

  template <typename T> void count(const char *key, T &to, T atLeast = 0) {
    if (const nlohmann::json *value = find(key))
      take(*value, key, to, atLeast);
  }

  void counts(const char *key, std::vector<uint32_t> &to) {
    const nlohmann::json *value = find(key);
    if (!value)
      return;
    if (!value->is_array())
      return keep(concat("\"", key, "\" of ", what_, " is no list"));
    to.assign(value->size(), 0);
    for (size_t i = 0; i < to.size(); ++i)
      take<uint32_t>((*value)[i], key, to[i], 0);
  }

  void flag(const char *key, bool &to) {
    const nlohmann::json *value = find(key);
    if (value && value->is_boolean())
      to = value->get<bool>();
    else if (value)
      keep(concat("\"", key, "\" of ", what_, " is neither true nor false"));
  }

  void keep(const std::string &mistake) {
    if (mistake_.empty())
      mistake_ = mistake;
  }

  /// What was wrong first, or that of the keys that nobody asked for.
  Status finish() {
    if (mistake_.empty())
      for (const auto &member : json_.items())
        if (std::ranges::find(asked_, member.key()) == asked_.end())
          keep(concat(what_, " has an unknown key ", quote(member.key())));
    return mistake_.empty() ? Status::ok() : wrong(mistake_);
  }

private:
  template <typename T>
  void take(const nlohmann::json &value, const char *key, T &to, T atLeast) {
    if (value.is_number_unsigned() &&
        value.get<uint64_t>() <= std::numeric_limits<T>::max() &&
        value.get<uint64_t>() >= atLeast)
      to = static_cast<T>(value.get<uint64_t>());
    else
      keep(concat("\"", key, "\" of ", what_, " holds ", value.dump(),
                  ", not a count from ", atLeast, " on"));
  }

  const nlohmann::json &json_;
  std::string what_, mistake_;
  std::vector<std::string> asked_;
};

class JobReader {
public:
  explicit JobReader(const std::string &path)
      : folder_(std::filesystem::path(path).parent_path()) {}

  Result<KernelJob> read(const nlohmann::json &json) {
    KernelJob job;
    Members in(json, "a kernel");
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
    Members in(json, what);
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

Result<Tensor> KernelBuffer::contents() const {
  constexpr uint64_t kBlock = 65521; // A prime: no row of a matrix repeats.
  Tensor block = Tensor::zeros(ScalarType::F64, {1});
  block.values<double>()[0] = value;
  if (!file.empty()) {
    RUNG_ASSIGN_OR_RETURN(block, readNpy(file));
    if (elements == 0)
      return block;
  } else {
    block = random > 0 ? randomBlock(*this, kBlock) : convert(block, type);
  }
  Tensor tensor = Tensor::zeros(block.type, {elements});
  for (size_t done = 0; done < tensor.data.size();) {
    size_t size = std::min(block.data.size(), tensor.data.size() - done);
    if (size == 0)
      return wrong(concat(quotePath(file), " has nothing to be repeated"));
    std::memcpy(tensor.data.data() + done, block.data.data(), size);
    done += size;
  }
  return tensor;
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
