//===- ZipWriter.cpp - zip archives, stored and deflated ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/base/Zip.h"

#include <zlib.h>

#include <limits>

namespace rung {

namespace {
constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();

void append16(std::vector<std::byte> &to, uint64_t value) {
  to.push_back(std::byte(value & 0xff));
  to.push_back(std::byte(value >> 8 & 0xff));
}
void append32(std::vector<std::byte> &to, uint64_t value) {
  append16(to, value);
  append16(to, value >> 16);
}
void append(std::vector<std::byte> &to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

Result<std::vector<std::byte>> deflated(std::span<const std::byte> data) {
  Status failure(StatusCode::ResourceExhausted, "zlib cannot compress");
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS,
                   /*memLevel=*/8, Z_DEFAULT_STRATEGY) != Z_OK)
    return failure;
  std::vector<std::byte> result(deflateBound(&stream, data.size()));
  stream.next_in =
      reinterpret_cast<Bytef *>(const_cast<std::byte *>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  int code = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  if (code != Z_STREAM_END)
    return failure;
  return result;
}

/// What local header and directory entry have in common.
struct Common {
  bool deflated;
  uint32_t crc;
  uint64_t compressedSize, size, nameSize;

  void appendTo(std::vector<std::byte> &to) const {
    append16(to, 20);    // Version needed: 2.0.
    append16(to, 0x800); // Names are UTF-8.
    append16(to, deflated ? 8 : 0);
    append16(to, 0);    // Time: midnight.
    append16(to, 0x21); // Date: 1 January 1980, the first there is.
    append32(to, crc);
    append32(to, compressedSize);
    append32(to, size);
    append16(to, nameSize);
    append16(to, 0); // No extra field.
  }
};
} // namespace

Status ZipWriter::add(std::string_view name, std::span<const std::byte> data,
                      bool compress) {
  if (data.size() > kMost || bytes_.size() + data.size() > kMost / 2 ||
      name.size() > 0xffff || count_ == 0xfffe)
    return Status(StatusCode::Unsupported,
                  concat("member ", quote(name), " of ", data.size(),
                         " bytes makes the archive larger than 2 GiB"));
  std::vector<std::byte> compressed;
  if (compress) {
    RUNG_ASSIGN_OR_RETURN(compressed, deflated(data));
  }
  auto crc = static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef *>(data.data()), data.size()));
  auto payload = compress ? std::span<const std::byte>(compressed) : data;
  Common common{compress, crc, payload.size(), data.size(), name.size()};
  auto nameBytes = std::as_bytes(std::span(name.data(), name.size()));

  append32(directory_, 0x02014b50);
  append16(directory_, 20); // Made by version 2.0.
  common.appendTo(directory_);
  append16(directory_, 0); // No comment.
  append16(directory_, 0); // Disk.
  append16(directory_, 0); // Internal attributes.
  append32(directory_, 0); // External attributes.
  append32(directory_, bytes_.size());
  append(directory_, nameBytes);

  append32(bytes_, 0x04034b50);
  common.appendTo(bytes_);
  append(bytes_, nameBytes);
  append(bytes_, payload);
  ++count_;
  return Status::ok();
}

Result<std::vector<std::byte>> ZipWriter::finish() {
  uint64_t offset = bytes_.size();
  append(bytes_, directory_);
  append32(bytes_, 0x06054b50);
  append32(bytes_, 0); // Disk numbers.
  append16(bytes_, count_);
  append16(bytes_, count_);
  append32(bytes_, directory_.size());
  append32(bytes_, offset);
  append16(bytes_, 0); // No comment.
  return std::move(bytes_);
}

} // namespace rung
