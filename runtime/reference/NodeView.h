//===- NodeView.h - one node of a bundle's graph ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_NODEVIEW_H
#define RUNG_RUNTIME_REFERENCE_NODEVIEW_H

#include "runtime/base/Status.h"
#include "runtime/bundle/Types.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace rung::reference {

/// A node with typed access to its attributes. Every error it makes names the
/// node. Cheap to copy; the graph must outlive it.
class NodeView {
public:
  NodeView(const fb::Graph &graph, uint32_t index)
      : graph_(&graph), node_(graph.nodes()->Get(index)), index_(index) {}

  std::string_view op() const { return node_->op()->string_view(); }
  uint32_t operandCount() const { return node_->operands()->size(); }
  uint32_t resultCount() const { return node_->results()->size(); }
  uint32_t operand(uint32_t i) const { return node_->operands()->Get(i); }
  uint32_t result(uint32_t i) const { return node_->results()->Get(i); }
  const fb::TensorType &operandType(uint32_t i) const {
    return *graph_->values()->Get(operand(i));
  }
  const fb::TensorType &resultType(uint32_t i) const {
    return *graph_->values()->Get(result(i));
  }
  ScalarType resultElement(uint32_t i) const {
    return toScalarType(resultType(i).element());
  }
  ScalarType operandElement(uint32_t i) const {
    return toScalarType(operandType(i).element());
  }
  /// The node's place in its graph.
  uint32_t index() const { return index_; }
  /// Null for an op without a region.
  const fb::Graph *body() const { return node_->body(); }

  /// "node 3 'rnn.gru' (model.yaml:12): <message>".
  Status invalid(std::string_view message) const {
    return error(StatusCode::InvalidData, message);
  }
  Status unsupported(std::string_view message) const {
    return error(StatusCode::Unsupported, message);
  }
  /// The same, for an error from below.
  Status from(const Status &status) const {
    return error(status.code(), status.message());
  }

  Status expectOperands(uint32_t least, uint32_t most) const;
  Status expectResults(uint32_t count) const;
  /// Fails on an attribute that is not among `known`: one that the op's
  /// meaning may depend on is never passed over.
  Status expectAttributes(std::initializer_list<std::string_view> known) const;

  bool has(std::string_view name) const { return find(name) != nullptr; }
  Result<int64_t> integer(std::string_view name) const;
  Result<double> real(std::string_view name) const;
  Result<std::string_view> string(std::string_view name) const;
  Result<std::vector<int64_t>> integers(std::string_view name) const;
  Result<std::vector<double>> reals(std::string_view name) const;
  Result<std::vector<std::string_view>> strings(std::string_view name) const;

  /// A string attribute that must be one of `choices`; its position there.
  Result<size_t> choice(std::string_view name,
                        std::initializer_list<std::string_view> choices) const;

  /// The sizes of `count` operand groups, which together are all operands.
  Result<std::vector<uint32_t>> segments(size_t count) const;

private:
  const fb::Attribute *find(std::string_view name) const;
  Result<const fb::Attribute *> get(std::string_view name,
                                    fb::AttributeKind kind) const;
  Status error(StatusCode code, std::string_view message) const;

  const fb::Graph *graph_;
  const fb::Node *node_;
  uint32_t index_;
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_NODEVIEW_H
