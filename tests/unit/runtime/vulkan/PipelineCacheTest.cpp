//===- PipelineCacheTest.cpp - compiled kernels kept on disk ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/PipelineCache.h"
#include "runtime/base/File.h"
#include "tests/unit/runtime/vulkan/DeviceTest.h"
#include "tests/unit/runtime/vulkan/TestModels.h"
#include "tests/unit/support/TempFolder.h"

namespace rung::test {

namespace {

class PipelineCacheTest : public DeviceTest {
protected:
  /// Runs a model with the cache in `folder`.
  void run(const std::string &folder) {
    const BundleReader bundle = readModel(affineModel(1));
    Runner runner(makeDevice(bundle), bundle, {.cacheFolder = folder});
    const std::vector<float> x = {3};
    auto outputs = runner.run(1, 1, {bytesOf(x), {}});
    ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
    EXPECT_EQ(outputs->floats(0)[0], 6);
  }
};

TEST_F(PipelineCacheTest, LeavesAFileThatTheNextProcessReads) {
  TempFolder folder;
  run(folder / "made");
  const std::string path = folder / ("made/" + pipelineCacheName(snapshot()));
  Result<MappedFile> file = MappedFile::open(path);
  ASSERT_TRUE(file.isOk()) << file.status().message();
  EXPECT_TRUE(decodePipelineCache(snapshot(), file->bytes()));
  run(folder / "made");
}

TEST_F(PipelineCacheTest, IgnoresADamagedFileAndReplacesIt) {
  TempFolder folder;
  const std::string path = folder / pipelineCacheName(snapshot());
  ASSERT_TRUE(writeFile(path, std::string_view("no cache at all")).isOk());
  run(folder / "");
  Result<MappedFile> file = MappedFile::open(path);
  ASSERT_TRUE(file.isOk()) << file.status().message();
  EXPECT_TRUE(decodePipelineCache(snapshot(), file->bytes()));
}

TEST_F(PipelineCacheTest, RunsWhereNothingCanBeWritten) {
  run("/proc/no/such/folder");
  run("");
}

} // namespace

} // namespace rung::test
