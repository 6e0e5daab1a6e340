//===- DevicesCommand.cpp - rung-run --list-devices -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-run/Commands.h"
#include "tools/rung-run/Model.h"

#include <cstdio>
#include <memory>
#include <string>

namespace rung::tools {
namespace {

struct DestroyList {
  void operator()(rung_device_list *list) const {
    rung_device_list_destroy(list);
  }
};
using DeviceList = std::unique_ptr<rung_device_list, DestroyList>;

Result<std::string> describe(const rung_device_list *list, bool json) {
  std::string text;
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (size_t i = 0; i < rung_device_list_count(list); ++i) {
    rung_device_info info;
    if (rung_code code = rung_device_list_get(list, i, &info))
      return lastError(code);
    text += concat(i, ": ", info.name, " (", info.kind, ", Vulkan ", info.api,
                   ", ", info.driver, ")\n");
    if (!json)
      continue;
    RUNG_ASSIGN_OR_RETURN(nlohmann::json profile, parseJson(info.profile_json));
    devices.push_back({{"index", i},
                       {"name", info.name},
                       {"kind", info.kind},
                       {"api", info.api},
                       {"driver", info.driver},
                       {"profile", profile}});
  }
  if (!json)
    return text + "reference: interpreter in double precision\n"
                  "exact, exact-own: the same, without the kernels' "
                  "roundings\n";
  return formatJson(
      {{"devices", devices}, {"note", rung_device_list_note(list)}});
}

} // namespace

ExitCode listDevicesCommand(bool json) {
  rung_device_list *raw = nullptr;
  if (rung_code code = rung_device_list_create(&raw))
    return fail(lastError(code));
  DeviceList list(raw);
  Result<std::string> text = describe(raw, json);
  if (!text.isOk())
    return fail(text.status());
  note(rung_device_list_note(raw));
  std::fputs(text->c_str(), stdout);
  return kDone;
}

} // namespace rung::tools
