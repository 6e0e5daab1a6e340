//===- Format.cpp - the file around the metadata --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Format.h"

#include "runtime/base/Text.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace rung {

static_assert(std::endian::native == std::endian::little,
              "bundles are read in place and are little-endian");

namespace {
/// The first 64 bytes of a file, as they lie there.
struct Header {
  char magic[8];
  uint32_t version;
  uint32_t metadataCrc;
  uint64_t metadataOffset;
  uint64_t metadataSize;
  uint64_t blobOffset;
  uint64_t blobSize;
  uint32_t blobCrc;
  std::byte padding[12];
};
static_assert(sizeof(Header) == kBundleHeaderSize);

constexpr char kMagic[] = "RUNGBNDL";

uint64_t alignUp(uint64_t value) {
  return (value + kBlobAlignment - 1) / kBlobAlignment * kBlobAlignment;
}

uint32_t checksum(std::span<const std::byte> bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

bool allZero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](std::byte b) { return b == std::byte(0); });
}

template <typename... Parts> Status invalid(const Parts &...parts) {
  return Status(StatusCode::InvalidData, concat(parts...));
}

Status checkIdentity(const Header &header, size_t fileSize) {
  if (fileSize < kBundleHeaderSize)
    return invalid("the file has ", fileSize,
                   " bytes, fewer than a bundle's header of ",
                   kBundleHeaderSize);
  if (std::memcmp(header.magic, kMagic, sizeof(header.magic)) != 0)
    return invalid("the file is no bundle: it does not begin with ",
                   quote(kMagic));
  if (header.version != kBundleVersion)
    return Status(StatusCode::Unsupported,
                  concat("bundle version ", header.version, " is not ",
                         kBundleVersion, ", the one that this program reads"));
  return Status::ok();
}

/// Every offset follows from the sizes; no byte is left over.
Status checkLayout(const Header &header, uint64_t fileSize) {
  if (header.metadataOffset != kBundleHeaderSize)
    return invalid("the metadata begin at ", header.metadataOffset, ", not at ",
                   kBundleHeaderSize);
  if (header.metadataSize > fileSize - kBundleHeaderSize)
    return invalid("the metadata's ", header.metadataSize,
                   " bytes do not fit the file of ", fileSize);
  uint64_t blobOffset = alignUp(kBundleHeaderSize + header.metadataSize);
  if (header.blobOffset != blobOffset)
    return invalid("the weights begin at ", header.blobOffset, ", not at ",
                   blobOffset);
  if (blobOffset > fileSize || header.blobSize != fileSize - blobOffset)
    return invalid("the file has ", fileSize, " bytes, not ", blobOffset,
                   " and the weights' ", header.blobSize);
  if (!allZero(header.padding))
    return invalid("the header's last 12 bytes are not 0");
  return Status::ok();
}

Status checkSum(std::string_view part, std::span<const std::byte> bytes,
                uint32_t expected) {
  uint32_t actual = checksum(bytes);
  if (actual == expected)
    return Status::ok();
  return invalid("the ", part, " are damaged: their checksum is ", actual,
                 ", and the header says ", expected);
}
} // namespace

Result<BundleParts> splitBundle(std::span<const std::byte> file) {
  Header header = {};
  if (file.size() >= sizeof(header))
    std::memcpy(&header, file.data(), sizeof(header));
  RUNG_RETURN_IF_ERROR(checkIdentity(header, file.size()));
  RUNG_RETURN_IF_ERROR(checkLayout(header, file.size()));
  BundleParts parts{file.subspan(kBundleHeaderSize, header.metadataSize),
                    file.subspan(header.blobOffset)};
  size_t end = kBundleHeaderSize + header.metadataSize;
  if (!allZero(file.subspan(end, header.blobOffset - end)))
    return invalid("the bytes between metadata and weights are not 0");
  RUNG_RETURN_IF_ERROR(
      checkSum("metadata", parts.metadata, header.metadataCrc));
  RUNG_RETURN_IF_ERROR(checkSum("weights", parts.blob, header.blobCrc));
  return parts;
}

std::vector<std::byte> joinBundle(const BundleParts &parts) {
  Header header = {};
  std::memcpy(header.magic, kMagic, sizeof(header.magic));
  header.version = kBundleVersion;
  header.metadataCrc = checksum(parts.metadata);
  header.metadataOffset = kBundleHeaderSize;
  header.metadataSize = parts.metadata.size();
  header.blobOffset = alignUp(kBundleHeaderSize + parts.metadata.size());
  header.blobSize = parts.blob.size();
  header.blobCrc = checksum(parts.blob);
  std::vector<std::byte> file(header.blobOffset + header.blobSize);
  std::memcpy(file.data(), &header, sizeof(header));
  std::copy(parts.metadata.begin(), parts.metadata.end(),
            file.begin() + kBundleHeaderSize);
  std::copy(parts.blob.begin(), parts.blob.end(),
            file.begin() + header.blobOffset);
  return file;
}

} // namespace rung
