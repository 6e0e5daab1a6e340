//===- BindArguments.cpp - from a caller's tensors to a request -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/BindArguments.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace rung {

namespace {

/// Finds T and B while it checks shapes.
class ArgumentBinder {
public:
  explicit ArgumentBinder(const FunctionInfo &function) : function_(function) {
    request_.inputs.resize(function.inputs.size());
  }

  Status bind(const rung_tensor &tensor);
  Result<RunRequest> finish(bool statesAlone);

private:
  /// T or B, once a shape has told it.
  struct OpenExtent {
    char symbol;
    std::optional<int64_t> value;
    std::string_view from; ///< The input that told it.
  };

  Result<size_t> findInput(const rung_tensor &tensor) const;
  Status checkType(const PortInfo &port, const rung_tensor &tensor) const;
  Status checkShape(const PortInfo &port, const rung_tensor &tensor);
  Status fix(OpenExtent &extent, const PortInfo &port, int64_t value);

  const FunctionInfo &function_;
  RunRequest request_;
  OpenExtent steps_ = {.symbol = 'T'};
  OpenExtent batch_ = {.symbol = 'B'};
};

std::string inputText(const PortInfo &port) {
  return concat("input ", quote(port.name));
}

Status invalid(std::string message) {
  return Status(StatusCode::InvalidArgument, std::move(message));
}

Result<size_t> ArgumentBinder::findInput(const rung_tensor &tensor) const {
  if (!tensor.name)
    return invalid("an input has no name");
  std::vector<std::string> names;
  for (size_t i = 0; i < function_.inputs.size(); ++i) {
    if (std::string_view(tensor.name) == function_.inputs[i].name)
      return i;
    names.push_back(quote(function_.inputs[i].name));
  }
  return Status(StatusCode::NotFound,
                concat("there is no input ", quote(tensor.name), "; there are ",
                       joined(names)));
}

Status ArgumentBinder::checkType(const PortInfo &port,
                                 const rung_tensor &tensor) const {
  if (tensor.dtype == port.dtype && tensor.rank == port.dims.size())
    return Status::ok();
  return invalid(concat(inputText(port), " is ", rung_dtype_name(tensor.dtype),
                        " of rank ", tensor.rank, "; ", port.typeText(),
                        " is needed"));
}

Status ArgumentBinder::fix(OpenExtent &extent, const PortInfo &port,
                           int64_t value) {
  if (!extent.value) {
    extent.value = value;
    extent.from = port.name;
  }
  if (*extent.value == value)
    return Status::ok();
  return invalid(concat(inputText(port), " has ", extent.symbol, " ", value,
                        " and input ", quote(extent.from), " has ",
                        *extent.value));
}

Status ArgumentBinder::checkShape(const PortInfo &port,
                                  const rung_tensor &tensor) {
  constexpr int64_t kMaxExtent = std::numeric_limits<uint32_t>::max();
  for (size_t axis = 0; axis < port.dims.size(); ++axis) {
    const int64_t have = tensor.shape[axis];
    const int64_t want = port.dims[axis];
    if (have < 0 || have > kMaxExtent)
      return invalid(concat(inputText(port), " has extent ", have, " in axis ",
                            axis, ", which is not within 0 to ", kMaxExtent));
    if (want == RUNG_DIM_T)
      RUNG_RETURN_IF_ERROR(fix(steps_, port, have));
    else if (want == RUNG_DIM_B)
      RUNG_RETURN_IF_ERROR(fix(batch_, port, have));
    else if (want != have)
      return invalid(concat(inputText(port), " is ",
                            describe(tensor.dtype, tensor.shape, tensor.rank),
                            "; ", port.typeText(), " is needed"));
  }
  return Status::ok();
}

Status ArgumentBinder::bind(const rung_tensor &tensor) {
  RUNG_ASSIGN_OR_RETURN(size_t index, findInput(tensor));
  const PortInfo &port = function_.inputs[index];
  RunRequest::Input &input = request_.inputs[index];
  if (input.given)
    return invalid(concat(inputText(port), " is given twice"));
  RUNG_RETURN_IF_ERROR(checkType(port, tensor));
  if (tensor.rank > 0 && !tensor.shape)
    return invalid(concat(inputText(port), " has no shape"));
  RUNG_RETURN_IF_ERROR(checkShape(port, tensor));
  RUNG_ASSIGN_OR_RETURN(size_t bytes,
                        bytesOf(tensor.dtype, {tensor.shape, tensor.rank}));
  if (bytes > 0 && !tensor.data)
    return invalid(
        concat(inputText(port), " of ", bytes, " bytes has no data"));
  input.given = true;
  input.bytes = {static_cast<const std::byte *>(tensor.data), bytes};
  return Status::ok();
}

Result<RunRequest> ArgumentBinder::finish(bool statesAlone) {
  for (size_t i = 0; i < function_.inputs.size(); ++i) {
    const PortInfo &port = function_.inputs[i];
    if (statesAlone && request_.inputs[i].given && port.state == RUNG_NONE)
      return invalid(concat(inputText(port), " is no state"));
    if (!statesAlone && !request_.inputs[i].given && port.state == RUNG_NONE)
      return invalid(concat(inputText(port), " of type ", port.typeText(),
                            " is missing; only states may be left out"));
  }
  request_.steps = static_cast<uint32_t>(steps_.value.value_or(1));
  request_.batch = static_cast<uint32_t>(batch_.value.value_or(1));
  return std::move(request_);
}

} // namespace

Result<RunRequest> bindArguments(const FunctionInfo &function,
                                 std::span<const rung_tensor> tensors) {
  ArgumentBinder binder(function);
  for (const rung_tensor &tensor : tensors)
    RUNG_RETURN_IF_ERROR(binder.bind(tensor));
  return binder.finish(/*statesAlone=*/false);
}

Result<RunRequest> bindStates(const FunctionInfo &function,
                              std::span<const rung_tensor> tensors) {
  ArgumentBinder binder(function);
  for (const rung_tensor &tensor : tensors)
    RUNG_RETURN_IF_ERROR(binder.bind(tensor));
  return binder.finish(/*statesAlone=*/true);
}

std::vector<int64_t> shapeOf(const PortInfo &port, uint32_t steps,
                             uint32_t batch) {
  std::vector<int64_t> shape = port.dims;
  std::ranges::replace(shape, int64_t(RUNG_DIM_T), int64_t(steps));
  std::ranges::replace(shape, int64_t(RUNG_DIM_B), int64_t(batch));
  return shape;
}

Result<size_t> bytesOf(rung_dtype dtype, std::span<const int64_t> shape) {
  size_t bytes = rung_dtype_size(dtype);
  bool fits = true;
  for (int64_t extent : shape)
    fits &= !__builtin_mul_overflow(bytes, size_t(extent), &bytes);
  if (!fits)
    return Status(StatusCode::ResourceExhausted,
                  concat("a tensor of type ",
                         describe(dtype, shape.data(), uint32_t(shape.size())),
                         " has more bytes than 64 bits can count"));
  return bytes;
}

} // namespace rung
