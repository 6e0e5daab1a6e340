//===- ModelBuilder.h - bundles of graphs, node by node ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_SUPPORT_MODELBUILDER_H
#define RUNG_TESTS_UNIT_SUPPORT_MODELBUILDER_H

#include "runtime/bundle/Reader.h"
#include "runtime/bundle/Writer.h"
#include "tests/unit/support/SampleBundle.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rung::test {

std::unique_ptr<fb::AttributeT> attribute(std::string name, double value);
std::unique_ptr<fb::AttributeT> attribute(std::string name,
                                          std::vector<double> value);
std::unique_ptr<fb::AttributeT> attribute(std::string name,
                                          std::vector<std::string> value);

using Attributes = std::vector<std::unique_ptr<fb::AttributeT>>;

/// Moves attributes into a vector, which a braced list cannot.
template <typename... Rest> Attributes attributes(Rest... rest) {
  Attributes result;
  (result.push_back(std::move(rest)), ...);
  return result;
}

struct Type {
  ScalarType element;
  std::vector<int32_t> dims;
};

inline Type f32(std::vector<int32_t> dims) {
  return {ScalarType::F32, std::move(dims)};
}
inline Type i32(std::vector<int32_t> dims) {
  return {ScalarType::I32, std::move(dims)};
}

/// A graph, each value named by its number.
class GraphBuilder {
public:
  uint32_t value(const Type &type);
  uint32_t input(const Type &type);
  void output(uint32_t value) { graph_->outputs.push_back(value); }

  /// Returns the results' numbers.
  std::vector<uint32_t> op(std::string name, std::vector<uint32_t> operands,
                           std::vector<Type> results,
                           Attributes attributes = {},
                           std::unique_ptr<fb::GraphT> body = nullptr);
  /// The same, for one result.
  uint32_t op1(std::string name, std::vector<uint32_t> operands, Type result,
               Attributes attributes = {}) {
    return op(std::move(name), std::move(operands), {std::move(result)},
              std::move(attributes))[0];
  }

  const fb::GraphT &graph() const { return *graph_; }
  std::unique_ptr<fb::GraphT> take() { return std::move(graph_); }

private:
  std::unique_ptr<fb::GraphT> graph_ = std::make_unique<fb::GraphT>();
};

/// A function under construction.
class FunctionBuilder {
public:
  explicit FunctionBuilder(std::string name);

  GraphBuilder graph;

  uint32_t input(std::string name, const Type &type);
  void output(std::string name, const Type &type, uint32_t value);
  /// An input and, once `stateOutput` is called, the output that feeds it.
  uint32_t state(std::string name, const Type &type);
  void stateOutput(const std::string &name, const Type &type, uint32_t value);

  fb::GenerationT &generation();
  std::unique_ptr<fb::FunctionT> take();

private:
  std::unique_ptr<fb::FunctionT> function_;
};

/// A bundle with one variant, `generic`, that has no kernels: it runs on the
/// reference alone.
class ModelBuilder {
public:
  explicit ModelBuilder(std::string name = "test");

  /// Adds a float weight; its index.
  int64_t weight(std::string name, std::vector<int32_t> dims,
                 const std::vector<float> &values);
  /// Adds a weight of any element, given as bytes; its index.
  int64_t weight(std::string name, std::vector<int32_t> dims,
                 ScalarType element, std::span<const std::byte> bytes);
  /// A value of `function` that is the weight.
  uint32_t load(FunctionBuilder &function, int64_t weight);
  void add(FunctionBuilder function);
  void asset(std::string name, std::string_view bytes);

  fb::BundleT &bundle() { return bundle_; }
  /// The bundle's file, verified.
  Result<std::vector<std::byte>> file();
  Result<BundleReader> read();

private:
  void addGenericVariant();

  fb::BundleT bundle_;
  BlobBuilder blob_;
};

/// `count` numbers in -scale .. scale, the same on every platform.
std::vector<float> randomNumbers(size_t count, uint64_t seed,
                                 double scale = 1.0);

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_SUPPORT_MODELBUILDER_H
