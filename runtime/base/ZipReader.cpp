//===- ZipReader.cpp - zip archives, stored and deflated ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/base/Zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

namespace rung {

namespace {
Status invalid(std::string message) {
  return Status(StatusCode::InvalidData, std::move(message));
}

/// A bounds-checked window on little-endian records.
class Record {
public:
  explicit Record(std::span<const std::byte> bytes) : bytes_(bytes) {}
  uint16_t u16(size_t at) const { return load<uint16_t>(at); }
  uint32_t u32(size_t at) const { return load<uint32_t>(at); }
  uint64_t u64(size_t at) const { return load<uint64_t>(at); }

private:
  template <typename T> T load(size_t at) const {
    T value = 0;
    if (at + sizeof(T) <= bytes_.size())
      std::memcpy(&value, bytes_.data() + at, sizeof(T));
    return value;
  }
  std::span<const std::byte> bytes_;
};

constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDirectoryEntry = 0x02014b50;
constexpr uint32_t kEndOfDirectory = 0x06054b50;
constexpr uint32_t kEndOfDirectory64 = 0x06064b50;
constexpr uint32_t kLocator64 = 0x07064b50;
constexpr size_t kEndSize = 22, kLocatorSize = 20, kEnd64Size = 56;
constexpr size_t kEntrySize = 46, kLocalSize = 30;

struct Directory {
  uint64_t offset, size, count;
};

/// The end record is the last thing in the file but for a comment.
Result<size_t> findEnd(std::span<const std::byte> bytes) {
  size_t longest = std::min<size_t>(bytes.size(), kEndSize + 0xffff);
  for (size_t back = kEndSize; back <= longest; ++back) {
    Record record(bytes.subspan(bytes.size() - back));
    if (record.u32(0) == kEndOfDirectory && record.u16(20) + kEndSize == back)
      return bytes.size() - back;
  }
  return invalid(
      "the file is not a complete zip archive: it has no end record");
}

Result<Directory> findDirectory(std::span<const std::byte> bytes) {
  RUNG_ASSIGN_OR_RETURN(size_t end, findEnd(bytes));
  Record record(bytes.subspan(end));
  Directory directory{record.u32(16), record.u32(12), record.u16(10)};
  bool large = directory.offset == 0xffffffff || directory.size == 0xffffffff ||
               directory.count == 0xffff;
  if (large && end >= kLocatorSize) {
    Record locator(bytes.subspan(end - kLocatorSize));
    uint64_t at = locator.u64(8);
    if (locator.u32(0) == kLocator64) {
      if (at > bytes.size() || bytes.size() - at < kEnd64Size)
        return invalid(concat("the zip64 end record at ", at,
                              " lies outside of the file"));
      Record end64(bytes.subspan(at));
      if (end64.u32(0) != kEndOfDirectory64)
        return invalid(concat("there is no zip64 end record at ", at));
      directory = {end64.u64(48), end64.u64(40), end64.u64(32)};
    }
  }
  if (directory.offset > bytes.size() ||
      directory.size > bytes.size() - directory.offset)
    return invalid(concat("the zip directory of ", directory.size, " bytes at ",
                          directory.offset, " lies outside of the file of ",
                          bytes.size()));
  return directory;
}

/// Replaces what the 32-bit fields of \p entry could not hold.
Status readExtra64(std::span<const std::byte> extra, ZipEntry &entry) {
  while (extra.size() >= 4) {
    Record record(extra);
    size_t id = record.u16(0), size = record.u16(2);
    if (size > extra.size() - 4)
      break;
    if (id == 1) {
      Record body(extra.subspan(4, size));
      size_t at = 0;
      for (uint64_t *field :
           {&entry.size, &entry.compressedSize, &entry.headerOffset}) {
        if (*field != 0xffffffff)
          continue;
        if (at + 8 > size)
          return invalid("the zip64 field is cut off");
        *field = body.u64(at);
        at += 8;
      }
    }
    extra = extra.subspan(4 + size);
  }
  return Status::ok();
}

/// Inflates all of \p from into all of \p to.
Status inflateInto(std::span<const std::byte> from, std::span<std::byte> to) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return Status(StatusCode::ResourceExhausted, "zlib cannot start");
  constexpr size_t kMost = std::numeric_limits<uInt>::max();
  size_t taken = 0, made = 0;
  int result = Z_OK;
  std::byte none; // zlib wants a place to write to, even for no bytes.
  while (result == Z_OK) {
    auto input = static_cast<uInt>(std::min(from.size() - taken, kMost));
    auto output = static_cast<uInt>(std::min(to.size() - made, kMost));
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<std::byte *>(from.data() + taken));
    stream.avail_in = input;
    stream.next_out =
        reinterpret_cast<Bytef *>(to.empty() ? &none : to.data() + made);
    stream.avail_out = output;
    result = inflate(&stream, Z_NO_FLUSH);
    taken += input - stream.avail_in;
    made += output - stream.avail_out;
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END || made != to.size() || taken != from.size())
    return invalid(concat("the deflated data are damaged behind byte ", taken,
                          " of ", from.size()));
  return Status::ok();
}
} // namespace

Result<ZipReader> ZipReader::parse(std::span<const std::byte> bytes) {
  ZipReader reader(bytes);
  RUNG_RETURN_IF_ERROR(reader.parseDirectory());
  return reader;
}

Status ZipReader::parseDirectory() {
  RUNG_ASSIGN_OR_RETURN(Directory directory, findDirectory(bytes_));
  auto rest = bytes_.subspan(directory.offset, directory.size);
  std::set<std::string> names;
  for (uint64_t i = 0; i < directory.count; ++i) {
    Record record(rest);
    size_t name = record.u16(28), extra = record.u16(30);
    size_t size = kEntrySize + name + extra + record.u16(32);
    if (rest.size() < kEntrySize || record.u32(0) != kDirectoryEntry ||
        rest.size() < size)
      return invalid(concat("entry ", i, " of the zip directory is damaged"));
    ZipEntry entry;
    entry.name.assign(reinterpret_cast<const char *>(rest.data()) + kEntrySize,
                      name);
    entry.method = record.u16(10);
    entry.crc = record.u32(16);
    entry.compressedSize = record.u32(20);
    entry.size = record.u32(24);
    entry.headerOffset = record.u32(42);
    std::string context = "reading member " + quote(entry.name);
    if (record.u16(8) & 1)
      return Status(StatusCode::Unsupported, "the member is encrypted")
          .while_(context);
    RUNG_RETURN_IF_ERROR(
        readExtra64(rest.subspan(kEntrySize + name, extra), entry)
            .while_(context));
    if (!names.insert(entry.name).second)
      return invalid(concat("member ", quote(entry.name), " occurs twice"));
    entries_.push_back(std::move(entry));
    rest = rest.subspan(size);
  }
  return Status::ok();
}

Result<std::vector<std::byte>> ZipReader::extract(const ZipEntry &entry) const {
  if (entry.headerOffset > bytes_.size() ||
      bytes_.size() - entry.headerOffset < kLocalSize)
    return invalid(concat("its header at ", entry.headerOffset,
                          " lies outside of the file"));
  auto local = bytes_.subspan(entry.headerOffset);
  Record header(local);
  if (header.u32(0) != kLocalHeader)
    return invalid(concat("there is no header at ", entry.headerOffset));
  size_t begin = kLocalSize + header.u16(26) + header.u16(28);
  if (begin > local.size() || entry.compressedSize > local.size() - begin)
    return invalid(
        concat("its ", entry.compressedSize, " bytes lie outside of the file"));
  auto data = local.subspan(begin, entry.compressedSize);
  // Deflate cannot do better than 1032 to 1: a larger claim is a lie, and
  // memory for it is not even asked for.
  bool plausible = entry.method == 8 ? entry.size / 1032 <= data.size() + 1
                                     : entry.size == data.size();
  if (entry.method != 0 && entry.method != 8)
    return Status(StatusCode::Unsupported,
                  concat("compression method ", entry.method,
                         " is neither 0 (stored) nor 8 (deflated)"));
  if (!plausible)
    return invalid(concat("its size of ", entry.size, " bytes does not fit ",
                          data.size(), " bytes in the archive"));
  std::vector<std::byte> result(entry.size);
  if (entry.method == 0)
    std::copy(data.begin(), data.end(), result.begin());
  else
    RUNG_RETURN_IF_ERROR(inflateInto(data, result));
  auto crc = static_cast<uint32_t>(crc32_z(
      0, reinterpret_cast<const Bytef *>(result.data()), result.size()));
  if (crc != entry.crc)
    return invalid(
        concat("its checksum is ", crc, ", and the archive says ", entry.crc));
  return result;
}

} // namespace rung
