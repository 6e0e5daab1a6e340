//===- ProfileJson.cpp - device profiles as JSON --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Profile.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <set>

namespace rung {

namespace {
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// The one list of keys: \p visitor sees each with its member, in order.
template <typename Visitor, typename ProfileRef>
void visitFields(Visitor &&visitor, ProfileRef &profile) {
  visitor("name", profile.name);
  visitor("description", profile.description);
  visitor("api_version", profile.apiVersion);
  visitor("subgroup_size", profile.subgroupSize);
  visitor("min_subgroup_size", profile.minSubgroupSize);
  visitor("max_subgroup_size", profile.maxSubgroupSize);
  visitor("shared_memory_bytes", profile.sharedMemoryBytes);
  visitor("max_workgroup_invocations", profile.maxWorkgroupInvocations);
  visitor("max_push_constant_bytes", profile.maxPushConstantBytes);
  visitor("max_storage_buffer_bytes", profile.maxStorageBufferBytes);
  visitor("compute_units", profile.computeUnits);
  visitor("features", profile.features);
  visitor("cooperative", profile.cooperative);
  visitor("float16", profile.float16);
  visitor("joint_progress", profile.jointProgress);
  visitor("peaks", profile.peaks);
}
template <typename Visitor, typename Shape>
void visitShape(Visitor &&visitor, Shape &shape) {
  visitor("m", shape.m);
  visitor("n", shape.n);
  visitor("k", shape.k);
  visitor("a", shape.a);
  visitor("b", shape.b);
  visitor("c", shape.c);
  visitor("d", shape.d);
}
template <typename Visitor, typename Controls>
void visitControls(Visitor &&visitor, Controls &controls) {
  visitor("round_to_nearest_even", controls.roundToNearestEven);
  visitor("preserves_denormals", controls.preservesDenormals);
  visitor("fused_multiply_add", controls.fusedMultiplyAdd);
}
template <typename Visitor, typename PeaksRef>
void visitPeaks(Visitor &&visitor, PeaksRef &peaks) {
  visitor("flops_f32", peaks.flopsF32);
  visitor("flops_f16", peaks.flopsF16);
  visitor("flops_cooperative_f16", peaks.flopsCooperativeF16);
  visitor("ops_cooperative_s8", peaks.opsCooperativeS8);
  visitor("bytes_per_second", peaks.bytesPerSecond);
}

//===- Reading ------------------------------------------------------------===//

/// Fills members from one object; the first error wins. `path` leads to the
/// object: "" or "peaks." or "cooperative[2].".
class ObjectReader {
public:
  ObjectReader(const Json &object, std::string path)
      : object_(object), path_(std::move(path)) {}

  template <typename T> void operator()(const char *key, T &member) {
    known_.insert(key);
    auto found = object_.find(key);
    if (found != object_.end() && status_.isOk())
      read(path_ + key, key, *found, member);
  }

  /// An error also for a key that no member has.
  Status finish() {
    if (!status_.isOk())
      return status_;
    for (const auto &[key, value] : object_.items())
      if (!known_.count(key) && !isForCompiler(key))
        return Status(StatusCode::InvalidData,
                      concat("unknown key ", quote(path_ + key)));
    return Status::ok();
  }

private:
  /// What a profile may say besides what a device can do: which tiles are the
  /// best on it. compiler/target reads it.
  bool isForCompiler(const std::string &key) const {
    return path_.empty() && key == "tiles";
  }
  void fail(const std::string &path, const Json &json, std::string_view want) {
    status_ =
        Status(StatusCode::InvalidData,
               concat(quote(path), " is ", shorten(json), ", not ", want));
  }
  static std::string shorten(const Json &json) {
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= 40 ? text : text.substr(0, 40) + "…";
  }

  void read(const std::string &path, const char *, const Json &json,
            std::string &member) {
    if (!json.is_string())
      return fail(path, json, "a string");
    member = json.get_ref<const std::string &>();
  }
  void read(const std::string &path, const char *, const Json &json,
            bool &member) {
    if (!json.is_boolean())
      return fail(path, json, "true or false");
    member = json.get<bool>();
  }
  void read(const std::string &path, const char *, const Json &json,
            double &member) {
    if (!json.is_number() || json.get<double>() < 0)
      return fail(path, json, "a number of at least 0");
    member = json.get<double>();
  }
  void read(const std::string &path, const char *key, const Json &json,
            uint32_t &member) {
    if (std::string_view(key) == "api_version") {
      auto version = json.is_string()
                         ? parseApiVersion(json.get_ref<const std::string &>())
                         : std::nullopt;
      if (!version)
        return fail(path, json, "a version such as \"1.3\"");
      member = *version;
      return;
    }
    uint64_t wide = 0;
    read(path, key, json, wide);
    if (status_.isOk() && wide > UINT32_MAX)
      return fail(path, json, "a number below 2^32");
    member = static_cast<uint32_t>(wide);
  }
  void read(const std::string &path, const char *, const Json &json,
            uint64_t &member) {
    if (!json.is_number_unsigned())
      return fail(path, json, "a whole number of at least 0");
    member = json.get<uint64_t>();
  }
  void read(const std::string &path, const char *, const Json &json,
            ScalarType &member) {
    auto type = json.is_string()
                    ? parseScalarType(json.get_ref<const std::string &>())
                    : std::nullopt;
    if (!type || *type > ScalarType::U8)
      return fail(path, json, "one of f32 f16 bf16 f64 i32 i16 s8 u8");
    member = *type;
  }
  void read(const std::string &path, const char *, const Json &json,
            std::vector<Feature> &member) {
    if (!json.is_array())
      return fail(path, json, "a list of feature names");
    std::set<Feature> features;
    for (size_t i = 0; i < json.size(); ++i) {
      auto feature = json[i].is_string()
                         ? parseFeature(json[i].get_ref<const std::string &>())
                         : std::nullopt;
      if (!feature)
        return fail(concat(path, "[", i, "]"), json[i], "a feature's name");
      features.insert(*feature);
    }
    member.assign(features.begin(), features.end());
  }
  void read(const std::string &path, const char *, const Json &json,
            std::vector<CooperativeShape> &member) {
    if (!json.is_array())
      return fail(path, json, "a list of shapes");
    member.assign(json.size(), {});
    for (size_t i = 0; i < json.size() && status_.isOk(); ++i)
      readObject(concat(path, "[", i, "]"), json[i], [&](ObjectReader &reader) {
        visitShape(reader, member[i]);
        for (const char *key : {"m", "n", "k", "a", "b", "c", "d"})
          reader.require(key);
        if (reader.status_.isOk() &&
            (!member[i].m || !member[i].n || !member[i].k))
          reader.fail(concat(path, "[", i, "]"), json[i],
                      "a shape with sizes of at least 1");
      });
  }
  void read(const std::string &path, const char *, const Json &json,
            Float16Controls &member) {
    readObject(path, json,
               [&](ObjectReader &reader) { visitControls(reader, member); });
  }
  void read(const std::string &path, const char *, const Json &json,
            Peaks &member) {
    readObject(path, json,
               [&](ObjectReader &reader) { visitPeaks(reader, member); });
  }

  template <typename Visit>
  void readObject(const std::string &path, const Json &json, Visit visit) {
    if (!json.is_object())
      return fail(path, json, "an object");
    ObjectReader reader(json, path + ".");
    visit(reader);
    status_ = reader.finish();
  }

public:
  void require(const char *key) {
    if (status_.isOk() && !object_.contains(key))
      status_ = Status(StatusCode::InvalidData,
                       concat("key ", quote(path_ + key), " is missing"));
  }

private:
  const Json &object_;
  std::string path_;
  std::set<std::string> known_;
  Status status_;
};

//===- Writing ------------------------------------------------------------===//

struct ObjectWriter {
  OrderedJson object = OrderedJson::object();

  template <typename T> void operator()(const char *key, const T &member) {
    object[key] = value(key, member);
  }

private:
  template <typename T>
  OrderedJson value(const char *key, const T &member) const {
    if constexpr (std::is_same_v<T, uint32_t>)
      return std::string_view(key) == "api_version"
                 ? OrderedJson(formatApiVersion(member))
                 : OrderedJson(member);
    else
      return value(member);
  }
  template <typename T> static OrderedJson value(const T &member) {
    return OrderedJson(member);
  }
  static OrderedJson value(ScalarType type) {
    return OrderedJson(std::string(toString(type)));
  }
  static OrderedJson value(const std::vector<Feature> &features) {
    auto list = OrderedJson::array();
    for (Feature feature : features)
      list.push_back(std::string(toString(feature)));
    return list;
  }
  static OrderedJson value(const std::vector<CooperativeShape> &shapes) {
    auto list = OrderedJson::array();
    for (const CooperativeShape &shape : shapes) {
      ObjectWriter writer;
      visitShape(writer, shape);
      list.push_back(std::move(writer.object));
    }
    return list;
  }
  static OrderedJson value(const Float16Controls &controls) {
    ObjectWriter writer;
    visitControls(writer, controls);
    return writer.object;
  }
  static OrderedJson value(const Peaks &peaks) {
    ObjectWriter writer;
    visitPeaks(writer, peaks);
    return writer.object;
  }
};
} // namespace

Result<Profile> parseProfile(std::string_view text) {
  RUNG_ASSIGN_OR_RETURN(Json json, parseJson(text));
  if (!json.is_object())
    return Status(StatusCode::InvalidData,
                  "a profile is a JSON object, and this is none");
  Profile profile;
  ObjectReader reader(json, "");
  visitFields(reader, profile);
  reader.require("name");
  RUNG_RETURN_IF_ERROR(reader.finish());
  if (profile.name.empty())
    return Status(StatusCode::InvalidData, "'name' is empty");
  return profile;
}

Result<Profile> readProfile(const std::string &path) {
  RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(path));
  return parseProfile(text).while_("reading profile " + quotePath(path));
}

std::string writeProfile(const Profile &profile) {
  ObjectWriter writer;
  visitFields(writer, profile);
  return formatJson(writer.object);
}

} // namespace rung
