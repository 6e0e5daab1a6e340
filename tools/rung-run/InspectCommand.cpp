//===- InspectCommand.cpp - rung-run inspect BUNDLE -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-run/Commands.h"
#include "tools/rung-run/Model.h"

#include <cstdio>
#include <string>

namespace rung::tools {
namespace {

using Json = nlohmann::ordered_json;

Json portsToJson(const std::vector<Port> &ports,
                 const std::vector<StateLink> &states) {
  Json json = Json::array();
  for (const Port &port : ports) {
    Json entry = {{"name", port.name}, {"type", typeName(port)}};
    if (port.isState())
      entry["state"] = states[static_cast<size_t>(port.state)].name;
    json.push_back(std::move(entry));
  }
  return json;
}

Json generationToJson(const Generation &g) {
  Json json = {{"prompt_function", g.promptFunction},
               {"prompt_input", g.promptInput},
               {"token_input", g.tokenInput},
               {"token_output", g.tokenOutput},
               {"logits_output", g.logitsOutput},
               {"input_vocabulary", g.inputVocabulary},
               {"output_vocabulary", g.outputVocabulary},
               {"append", g.append}};
  for (auto [key, token] : {std::pair("start", g.start), {"stop", g.stop}})
    json[key] = token == RUNG_NONE ? Json() : Json(token);
  json["max_steps"] = g.maxSteps;
  return json;
}

Result<Json> stagesToJson(const Model &model) {
  Json stages = Json::array();
  const char *name = nullptr, *text = nullptr;
  for (size_t i = 0; i < rung_bundle_stage_count(model.handle()); ++i) {
    if (rung_code code = rung_bundle_stage(model.handle(), i, &name, &text))
      return lastError(code);
    stages.push_back(name);
  }
  return stages;
}

Result<Json> describe(const std::string &path, const Model &model) {
  Json json = {{"bundle", path}};
  json["functions"] = Json::array();
  for (const Function &function : model.functions()) {
    Json entry = {{"name", function.name},
                  {"inputs", portsToJson(function.inputs, function.states)},
                  {"outputs", portsToJson(function.outputs, function.states)}};
    if (function.generation)
      entry["generation"] = generationToJson(*function.generation);
    json["functions"].push_back(std::move(entry));
  }
  json["variants"] = Json::array();
  for (size_t i = 0; i < rung_bundle_variant_count(model.handle()); ++i)
    json["variants"].push_back(rung_bundle_variant_profile(model.handle(), i));
  json["assets"] = Json::array();
  for (size_t i = 0; i < rung_bundle_asset_count(model.handle()); ++i) {
    const char *name = rung_bundle_asset_name(model.handle(), i);
    RUNG_ASSIGN_OR_RETURN(std::string bytes, model.asset(name));
    json["assets"].push_back({{"name", name}, {"bytes", bytes.size()}});
  }
  RUNG_ASSIGN_OR_RETURN(json["stages"], stagesToJson(model));
  rung_provenance provenance;
  rung_bundle_provenance(model.handle(), &provenance);
  json["provenance"] = {{"tool_version", provenance.tool_version},
                        {"pipeline", provenance.pipeline},
                        {"options", provenance.options},
                        {"source_digest", provenance.source_digest}};
  return json;
}

std::string portLine(const char *kind, const Port &port,
                     const std::vector<StateLink> &states) {
  std::string line = concat("  ", kind, " ", port.name, ": ", typeName(port));
  if (port.isState())
    line += " state " + states[static_cast<size_t>(port.state)].name;
  return line + "\n";
}

std::string generationLines(const Generation &g) {
  std::string text = "  generates";
  if (!g.promptFunction.empty())
    text += concat(" after ", g.promptFunction, "(", g.promptInput, ")");
  text += concat(": ", g.tokenInput, " -> ",
                 g.tokenOutput.empty() ? g.logitsOutput : g.tokenOutput);
  if (!g.inputVocabulary.empty() || !g.outputVocabulary.empty())
    text += concat(", vocabularies ", quote(g.inputVocabulary), " -> ",
                   quote(g.outputVocabulary));
  if (g.start != RUNG_NONE)
    text += concat(", start ", g.start);
  if (g.stop != RUNG_NONE)
    text += concat(", stop ", g.stop);
  if (g.maxSteps != 0)
    text += concat(", at most ", g.maxSteps, " steps");
  return text + "\n";
}

// What the bundle holds, with each function's interface as signatures.
std::string formatText(const Json &json, const Model &model) {
  std::string text =
      concat("bundle: ", json["bundle"].get<std::string>(), "\n");
  for (const Function &function : model.functions()) {
    text += concat("function ", function.name, "\n");
    for (const Port &port : function.inputs)
      text += portLine("input", port, function.states);
    for (const Port &port : function.outputs)
      text += portLine("output", port, function.states);
    if (function.generation)
      text += generationLines(*function.generation);
  }
  auto list = [&](const char *title) {
    std::vector<std::string> entries;
    for (const Json &entry : json[title])
      entries.push_back(entry.is_string()
                            ? entry.get<std::string>()
                            : concat(entry["name"].get<std::string>(), " (",
                                     entry["bytes"].get<size_t>(), " bytes)"));
    text +=
        concat(title, ": ", entries.empty() ? "none" : joined(entries), "\n");
  };
  list("variants");
  list("assets");
  list("stages");
  for (const auto &[key, value] : json["provenance"].items())
    text += concat(key, ": ", value.get<std::string>(), "\n");
  return text;
}

ExitCode printStage(const Model &model, const std::string &wanted) {
  std::vector<std::string> names;
  const char *name = nullptr, *text = nullptr;
  for (size_t i = 0; i < rung_bundle_stage_count(model.handle()); ++i) {
    if (rung_code code = rung_bundle_stage(model.handle(), i, &name, &text))
      return fail(lastError(code));
    if (name == wanted) {
      std::fputs(text, stdout);
      return kDone;
    }
    names.push_back(name);
  }
  return fail(
      Status(StatusCode::NotFound,
             concat("bundle keeps no stage ", quote(wanted), "; it has ",
                    names.empty() ? "none" : joined(names))));
}

} // namespace

ExitCode inspectCommand(const InspectArguments &arguments) {
  Result<Model> model = Model::open(arguments.bundle);
  if (!model.isOk())
    return fail(model.status());
  if (!arguments.stage.empty())
    return printStage(*model, arguments.stage);
  Result<Json> json = describe(arguments.bundle, *model);
  if (!json.isOk())
    return fail(json.status());
  std::string text =
      arguments.json ? formatJson(*json) : formatText(*json, *model);
  std::fputs(text.c_str(), stdout);
  return kDone;
}

} // namespace rung::tools
