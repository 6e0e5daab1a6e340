//===- HeldOutChats.cpp - chats that a model has not seen -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/HeldOutChats.h"

#include "runtime/base/Npy.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <utility>

namespace rung::tools {
namespace {

Result<Tensor> take(NamedTensors &members, const char *name, size_t rank) {
  for (auto &[have, tensor] : members)
    if (have == name) {
      if (tensor.shape.size() != rank)
        return Status(StatusCode::InvalidData,
                      concat("array ", quote(name), " is ", toString(tensor),
                             " and not of rank ", rank));
      return std::move(tensor);
    }
  return Status(StatusCode::InvalidData,
                concat("archive has no array ", quote(name)));
}

Result<HeldOutChats::Answer> makeAnswer(const HeldOutChats &chats, double row,
                                        double begin, double end) {
  if (!(row >= 0 && row < chats.rows))
    return Status(StatusCode::InvalidData,
                  concat("an answer is in row ", row, " of ", chats.rows));
  uint32_t length = chats.lengths[static_cast<uint32_t>(row)];
  if (!(begin >= 1 && begin < end && end <= length))
    return Status(StatusCode::InvalidData,
                  concat("an answer reaches from ", begin, " to ", end,
                         " in row ", row, ", which has ", length, " tokens"));
  return HeldOutChats::Answer{static_cast<uint32_t>(row),
                              static_cast<uint32_t>(begin),
                              static_cast<uint32_t>(end)};
}

Result<HeldOutChats> make(NamedTensors members) {
  HeldOutChats chats;
  RUNG_ASSIGN_OR_RETURN(Tensor ids, take(members, "ids", 2));
  RUNG_ASSIGN_OR_RETURN(Tensor lengths, take(members, "lengths", 1));
  RUNG_ASSIGN_OR_RETURN(Tensor answers, take(members, "answers", 2));
  RUNG_ASSIGN_OR_RETURN(Tensor bits, take(members, "bits", 1));
  chats.steps = static_cast<uint32_t>(ids.shape[0]);
  chats.rows = static_cast<uint32_t>(ids.shape[1]);
  if (chats.steps == 0 || chats.rows == 0 || lengths.shape[0] != chats.rows ||
      answers.shape[1] != 3 || bits.shape[0] != 1)
    return Status(
        StatusCode::InvalidData,
        concat("arrays are ids ", toString(ids), ", lengths ",
               toString(lengths), ", answers ", toString(answers), " and bits ",
               toString(bits),
               "; [T, B], [B], [N, 3] and [1], with T and B more than 0, "
               "are needed"));
  Tensor tokens = convert(ids, ScalarType::I32);
  auto values = std::as_const(tokens).values<int32_t>();
  chats.ids.assign(values.begin(), values.end());
  for (uint32_t row = 0; row < chats.rows; ++row) {
    double length = toDouble(lengths, row);
    if (!(length >= 2 && length <= chats.steps))
      return Status(StatusCode::InvalidData,
                    concat("length ", length, " of row ", row,
                           " is not from 2 to ", chats.steps));
    chats.lengths.push_back(static_cast<uint32_t>(length));
  }
  for (uint64_t i = 0; i < answers.shape[0]; ++i) {
    RUNG_ASSIGN_OR_RETURN(HeldOutChats::Answer answer,
                          makeAnswer(chats, toDouble(answers, 3 * i),
                                     toDouble(answers, 3 * i + 1),
                                     toDouble(answers, 3 * i + 2)));
    chats.answers.push_back(answer);
  }
  std::stable_sort(
      chats.answers.begin(), chats.answers.end(),
      [](const auto &a, const auto &b) { return a.begin < b.begin; });
  chats.bits = toDouble(bits, 0);
  return chats;
}

} // namespace

uint64_t HeldOutChats::characters() const {
  uint64_t count = 0;
  for (uint32_t length : lengths)
    count += length - 1;
  return count;
}

Result<HeldOutChats> HeldOutChats::read(const std::string &path) {
  RUNG_ASSIGN_OR_RETURN(NamedTensors members, readNpz(path));
  return make(std::move(members))
      .while_(concat("reading the chats ", quotePath(path)));
}

} // namespace rung::tools
