//===- SafetensorsTest.cpp - reading safetensors files --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/safetensors/Archive.h"
#include "frontends/safetensors/Convert.h"
#include "tests/unit/frontends/TestFiles.h"

#include <cmath>
#include <gtest/gtest.h>

namespace rung::safetensors {
namespace {

using test::Folder;
using test::safetensorsBytes;
using test::SafetensorsWriter;

/// The only error of `bytes`, or the empty string.
std::string errorOf(std::string_view bytes) {
  DiagnosticsSink sink;
  auto tensors = readHeader(bytes, FileDiagnostics(sink, "w"));
  EXPECT_EQ(tensors.has_value(), !sink.hasErrors());
  return sink.diagnostics().empty() ? "" : sink.diagnostics()[0].text();
}
std::string errorOfHeader(std::string_view header, size_t dataBytes = 8) {
  return errorOf(safetensorsBytes(header, std::string(dataBytes, '\0')));
}

TEST(SafetensorsTest, ReadsTensorsWithTheirBytes) {
  SafetensorsWriter writer;
  writer.addRange("b", {2, 3}, 1);
  writer.addRange("a", {}, 7);
  writer.addRaw("empty", "F16", {0, 4}, "");
  std::string bytes = writer.bytes();
  DiagnosticsSink sink;
  auto tensors = readHeader(bytes, FileDiagnostics(sink, "w"));
  ASSERT_TRUE(tensors) << sink.text();
  ASSERT_EQ(tensors->size(), 3u);
  EXPECT_EQ((*tensors)[0].name, "b");
  EXPECT_EQ((*tensors)[0].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(toFloat32((*tensors)[0]), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(toFloat32((*tensors)[1]), std::vector<float>{7});
  EXPECT_EQ((*tensors)[2].elementCount(), 0);
}

TEST(SafetensorsTest, AcceptsMetadataSpacesAndNoTensors) {
  EXPECT_EQ(errorOfHeader("{}", 0), "");
  EXPECT_EQ(errorOfHeader(R"({"__metadata__":{"format":"pt"}}   )", 0), "");
}

TEST(SafetensorsTest, RefusesLengthsThatCannotBe) {
  EXPECT_EQ(errorOf("abc"), "w: error: file has 3 bytes; a safetensors file "
                            "starts with 8 bytes of header length");
  EXPECT_EQ(errorOf(std::string("\x00\x00\x00\x00\x00\x00\x00\x01{}", 10)),
            "w: error: header length 72057594037927936 is over the limit of "
            "100000000 bytes; is this a safetensors file?");
  EXPECT_EQ(errorOf(std::string("\x09\0\0\0\0\0\0\0{}", 10)),
            "w: error: header length 9 goes beyond the end of the file, which "
            "has 10 bytes; the file is truncated or no safetensors file");
  EXPECT_EQ(errorOf(std::string(8, '\0')),
            "w: error: header does not start with '{'");
}

TEST(SafetensorsTest, RefusesWhatIsNotJson) {
  EXPECT_EQ(errorOfHeader(" {}", 0),
            "w: error: header does not start with '{'");
  EXPECT_NE(errorOfHeader(R"({"a":)", 0).find("header: byte 6 is not JSON"),
            std::string::npos);
  EXPECT_NE(errorOfHeader("{\"\xff\":{}}", 0).find("UTF-8"), std::string::npos);
  EXPECT_EQ(errorOfHeader(R"({"a":[[[[[[[[[1]]]]]]]]]})", 0),
            "w: error: header: values are nested deeper than 8");
}

TEST(SafetensorsTest, RefusesDuplicateKeys) {
  EXPECT_EQ(
      errorOfHeader(
          R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a":{}})"),
      "w: error: header: key 'a' is given twice");
  EXPECT_EQ(errorOfHeader(R"({"a":{"dtype":"U8","dtype":"I8"}})"),
            "w: error: header: key 'dtype' is given twice");
}

TEST(SafetensorsTest, RefusesMalformedEntries) {
  EXPECT_EQ(errorOfHeader(R"({"a":3})"),
            "w: error: tensor 'a' is 3, not an object");
  EXPECT_EQ(errorOfHeader(R"({"a":{"dtype":"F32","shape":[2]}})"),
            "w: error: tensor 'a' has no 'data_offsets'");
  EXPECT_EQ(
      errorOfHeader(
          R"({"a":{"dtyp":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}})"),
      "w: error: tensor 'a' has the unknown key 'dtyp'; did you mean 'dtype'?");
  EXPECT_EQ(
      errorOfHeader(R"({"a":{"dtype":4,"shape":[2],"data_offsets":[0,8]}})"),
      "w: error: tensor 'a' has the dtype 4, not a string");
  EXPECT_EQ(
      errorOfHeader(
          R"({"a":{"dtype":"F23","shape":[2],"data_offsets":[0,8]}})"),
      "w: error: tensor 'a' has the unknown dtype 'F23'; did you mean 'F32'?");
  EXPECT_EQ(errorOfHeader(
                R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})"),
            "w: error: tensor 'a' has the shape [-2], not an array of sizes");
  EXPECT_EQ(
      errorOfHeader(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8]}})"),
      "w: error: tensor 'a' has data_offsets [8], not a begin and an end");
  EXPECT_EQ(errorOfHeader(R"({"__metadata__":{"n":1}})"),
            "w: error: '__metadata__' key 'n' is 1, not a string");
}

TEST(SafetensorsTest, RefusesRangesThatDoNotFit) {
  EXPECT_EQ(
      errorOfHeader(
          R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})"),
      "w: error: tensor 'a' lies at bytes 0 to 16 of the 8 bytes of data");
  EXPECT_EQ(errorOfHeader(
                R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})"),
            "w: error: tensor 'a' lies at bytes 8 to 0 of the 8 bytes of data");
  EXPECT_EQ(
      errorOfHeader(
          R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})"),
      "w: error: tensor 'a' has 8 bytes (data_offsets 0 to 8); F32 of shape "
      "[3] needs 12");
  EXPECT_EQ(
      errorOfHeader(
          R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})"),
      "w: error: tensor 'a' of shape [4294967296, 4294967296] has more bytes "
      "than can be addressed");
}

TEST(SafetensorsTest, RefusesOverlapsAndHoles) {
  EXPECT_EQ(
      errorOfHeader(R"({"a":{"dtype":"U8","shape":[5],"data_offsets":[0,5]},)"
                    R"("b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})"),
      "w: error: tensor 'b' starts at byte 4, within tensor 'a', which "
      "ends at byte 5");
  EXPECT_EQ(
      errorOfHeader(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                    R"("b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})"),
      "w: error: bytes 3 to 4 before tensor 'b' belong to no tensor");
  EXPECT_EQ(
      errorOfHeader(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})"),
      "w: error: bytes 3 to 8 at the end belong to no tensor");
}

TEST(SafetensorsTest, WidensHalvesExactly) {
  Tensor half{"h", "F16", {7}, {}, "w"};
  const uint16_t halves[] = {0x3c00, 0x8000, 0x0001, 0x03ff,
                             0x7bff, 0xfc00, 0x7e00};
  half.data = {reinterpret_cast<const char *>(halves), sizeof(halves)};
  std::vector<float> values = toFloat32(half);
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_TRUE(values[1] == 0 && std::signbit(values[1]));
  EXPECT_EQ(values[2], 0x1p-24f);
  EXPECT_EQ(values[3], 0x3ffp-24f);
  EXPECT_EQ(values[4], 65504.0f);
  EXPECT_EQ(values[5], -INFINITY);
  EXPECT_TRUE(std::isnan(values[6]));

  Tensor brain{"b", "BF16", {2}, {}, "w"};
  const uint16_t brains[] = {0x3f80, 0xc049};
  brain.data = {reinterpret_cast<const char *>(brains), sizeof(brains)};
  EXPECT_EQ(toFloat32(brain), (std::vector<float>{1.0f, -3.140625f}));
}

TEST(SafetensorsTest, RoundsDoublesToNearestEven) {
  Tensor tensor{"d", "F64", {5}, {}, "w"};
  const double doubles[] = {1 + 0x1p-24, 1 + 0x3p-24, 1e300, INFINITY,
                            0x1.fffffefp127};
  tensor.data = {reinterpret_cast<const char *>(doubles), sizeof(doubles)};
  std::vector<float> values = toFloat32(tensor);
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_EQ(values[1], 1 + 0x1p-22f);
  EXPECT_EQ(values[4], 0x1.fffffep127f);
  ValueCheck check = checkValues(tensor, values);
  EXPECT_EQ(check.overflowed, 1u);
  EXPECT_EQ(check.nonFinite, 1u);
  EXPECT_EQ(check.first, 2u);
}

/// Opens `name` of `folder` and gives the errors without the folder.
std::string openErrors(const Folder &folder, const std::string &name) {
  DiagnosticsSink sink;
  EXPECT_FALSE(Archive::open(folder.path(name), sink));
  return sink.text().substr(folder.path("").size());
}

TEST(SafetensorsTest, ReadsShardedSets) {
  Folder folder;
  SafetensorsWriter one, two;
  one.addRange("a", {2});
  two.addRange("b", {3});
  folder.write("1.safetensors", one.bytes());
  folder.write("2.safetensors", two.bytes());
  std::string path = folder.write(
      "m.safetensors.index.json",
      R"({"metadata":{"total_size":20},)"
      R"("weight_map":{"a":"1.safetensors","b":"2.safetensors"}})");
  DiagnosticsSink sink;
  auto archive = Archive::open(path, sink);
  ASSERT_TRUE(archive) << sink.text();
  EXPECT_EQ(archive->names(), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(toFloat32(*archive->find("b")), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(archive->find("c"), nullptr);
}

TEST(SafetensorsTest, RefusesBadIndexes) {
  Folder folder;
  SafetensorsWriter one;
  one.addRange("a", {2});
  folder.write("1.safetensors", one.bytes());
  folder.write("i.json", "[]");
  EXPECT_EQ(openErrors(folder, "i.json"),
            "i.json: error: index has no 'weight_map' object\n");
  folder.write("i.json", R"({"weight_map":{"a":"../1.safetensors"}})");
  EXPECT_EQ(openErrors(folder, "i.json"),
            "i.json: error: file '../1.safetensors' of tensor 'a' is not a "
            ".safetensors file beside the index\n");
  folder.write("i.json", R"({"weight_map":{"b":"1.safetensors"}})");
  EXPECT_EQ(openErrors(folder, "i.json"),
            "i.json: error: tensor 'b' is not in file '1.safetensors'\n");
  folder.write("i.json", R"({"weight_map":{"b":"2.safetensors"}})");
  EXPECT_EQ(openErrors(folder, "i.json"),
            "2.safetensors: error: file can't be read: No such file or "
            "directory\n");
}

TEST(SafetensorsTest, RefusesFolders) {
  Folder folder;
  EXPECT_EQ(openErrors(folder, ""),
            ": error: file can't be read: it is a directory\n");
}

} // namespace
} // namespace rung::safetensors
