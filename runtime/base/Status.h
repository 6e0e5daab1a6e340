//===- Status.h - errors as values ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_STATUS_H
#define RUNG_RUNTIME_BASE_STATUS_H

#include <cassert>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace rung {

enum class StatusCode {
  Ok,
  InvalidArgument,    ///< The caller's value is wrong.
  NotFound,           ///< A file, function, port, device … does not exist.
  InvalidData,        ///< A file is damaged, truncated or not what it says.
  Unsupported,        ///< Well formed, but this build or device cannot do it.
  ResourceExhausted,  ///< Memory, disk or a device limit.
  Io,                 ///< The operating system refused a file operation.
  Device,             ///< A driver reported an error.
  FailedPrecondition, ///< Calls in the wrong order.
};

/// `NotFound` and the like, for messages and logs.
std::string_view toString(StatusCode code);

/// Success, or a code with a message: a lower-case clause in the present tense
/// with the value next to its noun and no full stop. Costs one pointer when ok.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(StatusCode code, std::string message)
      : error_(code == StatusCode::Ok
                   ? nullptr
                   : std::make_unique<Error>(Error{code, std::move(message)})) {
  }
  Status(const Status &other)
      : error_(other.error_ ? std::make_unique<Error>(*other.error_)
                            : nullptr) {}
  Status &operator=(const Status &other) { return *this = Status(other); }
  Status(Status &&) noexcept = default;
  Status &operator=(Status &&) noexcept = default;

  static Status ok() { return Status(); }

  bool isOk() const { return !error_; }
  StatusCode code() const { return error_ ? error_->code : StatusCode::Ok; }
  /// Empty when ok. Context follows on lines of its own, innermost first.
  const std::string &message() const;

  /// Appends "\n  while <context>" to an error; the caller of a failing
  /// function says what it was doing. Leaves success as it is.
  Status while_(std::string_view context) &&;
  Status while_(std::string_view context) const & {
    return Status(*this).while_(context);
  }

private:
  struct Error {
    StatusCode code;
    std::string message;
  };
  std::unique_ptr<Error> error_;
};

/// A value, or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  /// \p status must be an error.
  Result(Status status) : state_(std::move(status)) {
    assert(!std::get<Status>(state_).isOk() && "a Result needs a value");
  }
  template <typename U = T>
    requires(std::convertible_to<U &&, T> &&
             !std::same_as<std::remove_cvref_t<U>, Result> &&
             !std::same_as<std::remove_cvref_t<U>, Status>)
  Result(U &&value) : state_(std::in_place_index<1>, std::forward<U>(value)) {}

  bool isOk() const { return state_.index() == 1; }

  T &value() & { return *access(); }
  const T &value() const & { return *access(); }
  T &&value() && { return std::move(*access()); }
  T &operator*() & { return *access(); }
  const T &operator*() const & { return *access(); }
  T &&operator*() && { return std::move(*access()); }
  T *operator->() { return access(); }
  const T *operator->() const { return access(); }

  /// Ok when there is a value.
  Status status() const {
    return isOk() ? Status::ok() : *std::get_if<0>(&state_);
  }
  Status takeStatus() {
    return isOk() ? Status::ok() : std::move(*std::get_if<0>(&state_));
  }
  /// As Status::while_, for an error on its way up.
  Result while_(std::string_view context) && {
    if (!isOk())
      return takeStatus().while_(context);
    return std::move(*this);
  }

private:
  T *access() {
    assert(isOk() && "the Result holds an error");
    return std::get_if<1>(&state_);
  }
  const T *access() const {
    assert(isOk() && "the Result holds an error");
    return std::get_if<1>(&state_);
  }
  std::variant<Status, T> state_;
};

} // namespace rung

#define RUNG_CONCAT_IMPL(a, b) a##b
#define RUNG_CONCAT(a, b) RUNG_CONCAT_IMPL(a, b)

/// RUNG_RETURN_IF_ERROR(device.wait().while_("waiting for the run"));
#define RUNG_RETURN_IF_ERROR(...)                                              \
  do {                                                                         \
    if (::rung::Status rungStatus_ = (__VA_ARGS__); !rungStatus_.isOk())       \
      return rungStatus_;                                                      \
  } while (false)

/// RUNG_ASSIGN_OR_RETURN(auto file, MappedFile::open(path));
/// The declaration must not contain a comma outside parentheses.
#define RUNG_ASSIGN_OR_RETURN(declaration, ...)                                \
  RUNG_ASSIGN_OR_RETURN_IMPL(RUNG_CONCAT(rungResult_, __LINE__), declaration,  \
                             __VA_ARGS__)
#define RUNG_ASSIGN_OR_RETURN_IMPL(result, declaration, ...)                   \
  auto result = (__VA_ARGS__);                                                 \
  if (!result.isOk())                                                          \
    return result.takeStatus();                                                \
  declaration = std::move(result).value()

#endif // RUNG_RUNTIME_BASE_STATUS_H
