//===- TestFiles.cpp - model files made by tests --------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/frontends/TestFiles.h"

#include "dialects/rnn/RnnOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>

namespace rung::test {

Folder::Folder() {
  std::string pattern = testing::TempDir() + "rung-frontend-XXXXXX";
  path_ = mkdtemp(pattern.data()) ? pattern : "";
  EXPECT_FALSE(path_.empty()) << "no folder " << pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  if (!path_.empty())
    std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string &name,
                          std::string_view bytes) const {
  std::ofstream file(path(name), std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  EXPECT_TRUE(file.good()) << path(name);
  return path(name);
}

std::string safetensorsBytes(std::string_view header, std::string_view data) {
  std::string bytes;
  for (size_t i = 0; i < 8; ++i)
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes.append(header).append(data);
}

void SafetensorsWriter::addRaw(const std::string &name,
                               const std::string &dtype,
                               const std::vector<int64_t> &shape,
                               std::string_view data) {
  std::string sizes;
  for (int64_t size : shape)
    sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
  header_ += std::format(
      R"({}"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
      header_.empty() ? "" : ",", name, dtype, sizes, data_.size(),
      data_.size() + data.size());
  data_ += data;
}

void SafetensorsWriter::add(const std::string &name,
                            const std::vector<int64_t> &shape,
                            const std::vector<float> &values) {
  addRaw(name, "F32", shape,
         {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(float)});
}

void SafetensorsWriter::addRange(const std::string &name,
                                 const std::vector<int64_t> &shape,
                                 float start) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  std::vector<float> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), start);
  add(name, shape, values);
}

std::string SafetensorsWriter::bytes() const {
  return safetensorsBytes("{" + header_ + "}", data_);
}

Import::Import(const Folder &folder, std::string_view yaml,
               std::string_view weights) {
  std::string path = folder.write("m.yaml", yaml);
  folder.write("m.safetensors", weights);
  model = importModel(context, path, "", sink);
  messages = sink.text();
  std::string prefix = folder.path("");
  for (size_t at = messages.find(prefix); at != std::string::npos;
       at = messages.find(prefix))
    messages.erase(at, prefix.size());
}

mlir::func::FuncOp Import::function(const std::string &name) {
  return model->module->lookupSymbol<mlir::func::FuncOp>(name);
}

std::vector<float> Import::weight(const std::string &symbol) {
  auto op = model->module->lookupSymbol<rnn::WeightOp>(symbol);
  if (!op) {
    ADD_FAILURE() << "no weight " << symbol;
    return {};
  }
  if (auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(op.getValue()))
    return {dense.getValues<float>().begin(), dense.getValues<float>().end()};
  auto resource = mlir::cast<mlir::DenseResourceElementsAttr>(op.getValue());
  llvm::ArrayRef<char> bytes = resource.getRawHandle().getBlob()->getData();
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<int64_t> Import::weightShape(const std::string &symbol) {
  auto op = model->module->lookupSymbol<rnn::WeightOp>(symbol);
  if (!op) {
    ADD_FAILURE() << "no weight " << symbol;
    return {};
  }
  return op.getType().getShape().vec();
}

} // namespace rung::test
