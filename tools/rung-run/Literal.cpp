//===- Literal.cpp - arrays written on the command line -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Literal.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

namespace rung::tools {
namespace {

constexpr size_t kMaxRank = 8;

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Tensor> parse() {
    RUNG_RETURN_IF_ERROR(value(0));
    skipSpaces();
    if (at_ != text_.size())
      return error("more text follows the array");
    Tensor tensor = Tensor::zeros(ScalarType::F64, shape_);
    std::copy(values_.begin(), values_.end(), tensor.values<double>().begin());
    return tensor;
  }

private:
  Status error(std::string_view what) const {
    return Status(StatusCode::InvalidArgument,
                  concat("array ", quote(text_), " is wrong at character ",
                         at_ + 1, ": ", what));
  }

  void skipSpaces() {
    while (at_ < text_.size() && std::strchr(" \t\n", text_[at_]))
      ++at_;
  }

  bool take(char c) {
    skipSpaces();
    if (at_ == text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }

  Status value(size_t depth) {
    if (take('['))
      return list(depth);
    if (depth < shape_.size())
      return error(concat("a number stands where lists of ", shape_[depth],
                          " stood before"));
    shapeIsKnown_ = true;
    return number();
  }

  Status list(size_t depth) {
    if (depth == kMaxRank)
      return error(concat("lists are nested more than ", kMaxRank, " deep"));
    bool first = depth == shape_.size();
    if (first && shapeIsKnown_)
      return error("a list stands where a number stood before");
    if (first)
      shape_.push_back(0);
    uint64_t count = 0;
    if (!take(']')) {
      do {
        RUNG_RETURN_IF_ERROR(value(depth + 1));
        ++count;
      } while (take(','));
      if (!take(']'))
        return error("']' or ',' is missing");
    }
    shapeIsKnown_ = true;
    if (first)
      shape_[depth] = count;
    else if (shape_[depth] != count)
      return error(
          concat("a list of ", count, " follows one of ", shape_[depth]));
    return Status::ok();
  }

  Status number() {
    skipSpaces();
    if (at_ < text_.size() && text_[at_] == '+')
      ++at_;
    double value = 0;
    const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
    auto [rest, code] = std::from_chars(begin, end, value);
    if (code == std::errc::result_out_of_range)
      return error("the number is out of range");
    if (code != std::errc())
      return error("a number is missing");
    at_ += static_cast<size_t>(rest - begin);
    values_.push_back(value);
    return Status::ok();
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<uint64_t> shape_;
  bool shapeIsKnown_ = false; // no deeper list may follow
  std::vector<double> values_;
};

} // namespace

Result<Tensor> parseLiteral(std::string_view text) {
  return Parser(text).parse();
}

} // namespace rung::tools
