//===- Compiler.cpp - model in, bundle out --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/Compiler.h"

#include "compiler/Pipelines.h"
#include "compiler/bundle/BundleEmitter.h"
#include "compiler/spirv/Serialize.h"
#include "compiler/spirv/Validate.h"
#include "frontends/Frontend.h"
#include "passes/Passes.h"
#include "passes/lowering/SingleDispatch.h"
#include "passes/lowering/SingleRow.h"
#include "passes/lowering/Stream.h"
#include "passes/precision/AttachCalibration.h"
#include "passes/precision/Presets.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace rung {

namespace {

class Compilation {
public:
  Compilation(MLIRContext &context, const CompileOptions &options)
      : context_(context), options_(options) {}

  Result<CompileResult> run() {
    Result<CompileResult> result = runStages();
    if (result.isOk())
      result.value().report = std::move(report_);
    return result;
  }

private:
  Result<CompileResult> runStages() {
    if (Status status = import(); !status.isOk())
      return status;
    if (Status status = transform(); !status.isOk())
      return status;
    if (options_.stage == Stage::Rnn)
      return CompileResult{print(*model_.module), {}};
    keep(Stage::Rnn, "", *model_.module);

    OwningOpRef<ModuleOp> source = model_.module->clone();
    say("making every rounding an operation");
    if (Status status = decidePrecision(); !status.isOk())
      return status;
    if (failed(report(*source)))
      return stopped(Stage::Precision);
    if (options_.stage == Stage::Precision)
      return CompileResult{print(*model_.module), {}};
    keep(Stage::Precision, "", *model_.module);

    FailureOr<BundleEmitter> emitter =
        BundleEmitter::create(*source, *model_.module, model_.extras, options_);
    if (failed(emitter))
      return stopped(Stage::Bundle);
    for (const Target &target : options_.targets) {
      Result<CompileResult> result = lowerFor(target, *emitter);
      if (!result.isOk())
        return result.status();
      if (options_.stage != Stage::Bundle &&
          &target == &options_.targets.back())
        return result;
    }
    say("writing the bundle");
    Result<std::vector<std::byte>> bytes = emitter->finish(kept_);
    if (!bytes.isOk())
      return bytes.status().while_("writing the bundle");
    return CompileResult{"", std::move(bytes.value())};
  }

  Status transform() {
    if (options_.transform.empty())
      return Status::ok();
    say("transforming the model");
    registerRungPasses();
    registerRungSingleDispatchPasses();
    registerRungSingleRowPasses();
    registerRungStreamPasses();
    PassManager pm(&context_);
    std::string problem;
    llvm::raw_string_ostream out(problem);
    if (failed(parsePassPipeline(options_.transform, pm, out)))
      return Status(StatusCode::InvalidArgument,
                    "transformation '" + options_.transform +
                        "' is no list of passes: " +
                        StringRef(problem)
                            .split("error: ")
                            .second.split('\n')
                            .first.str());
    return succeeded(pm.run(*model_.module)) ? Status::ok()
                                             : stopped(Stage::Rnn);
  }

  Status decidePrecision() {
    auto precision = parsePrecision(options_.precision);
    if (!precision)
      return Status(StatusCode::InvalidArgument,
                    llvm::toString(precision.takeError()));
    ModuleOp module = *model_.module;
    if (failed(lower(module,
                     [&](OpPassManager &pm) {
                       buildCellPipeline(pm, options_.precision);
                     })) ||
        failed(attachCalibration(module, options_.calibration)) ||
        failed(lower(module, [&](OpPassManager &pm) {
          buildPrecisionPipeline(pm, *precision);
        })))
      return stopped(Stage::Precision);
    return Status::ok();
  }

  void say(const std::string &what) {
    if (options_.progress)
      options_.progress(what);
  }

  Status import() {
    say("reading " + options_.model);
    if (StringRef(options_.model).ends_with(".mlir")) {
      model_.module = parseSourceFile<ModuleOp>(options_.model, &context_);
      if (model_.module)
        return Status::ok();
      return Status(StatusCode::InvalidData, "'" + options_.model +
                                                 "' is not a module of the rnn "
                                                 "dialect");
    }
    DiagnosticsSink sink;
    FailureOr<ImportedModel> imported =
        importModel(context_, options_.model, options_.weights, sink);
    if (failed(imported))
      return Status(StatusCode::InvalidData, sink.text());
    if (options_.warn && !sink.diagnostics().empty())
      options_.warn(sink.text());
    model_ = std::move(*imported);
    return Status::ok();
  }

  /// Kernels for one target; into the emitter when a bundle is wanted.
  Result<CompileResult> lowerFor(const Target &target, BundleEmitter &emitter) {
    const Profile &profile = target.profile;
    say("lowering for " + profile.name);
    OwningOpRef<ModuleOp> module = model_.module->clone();
    if (failed(lower(*module, [&](OpPassManager &pm) {
          buildKernelPipeline(pm, target.source);
        })))
      return stopped(Stage::Tile, &profile);
    if (options_.stage == Stage::Tile)
      return CompileResult{print(*module), {}};
    keep(Stage::Tile, profile.name, *module);
    if (failed(lower(*module, [&](OpPassManager &pm) {
          buildSpirvPipeline(pm, target.source);
        })))
      return stopped(Stage::Spirv, &profile);
    if (options_.stage == Stage::Spirv)
      return CompileResult{print(*module), {}};
    keep(Stage::Spirv, profile.name, *module);
    if (options_.stage == Stage::SpirvAsm)
      return disassembleAll(*module);
    if (failed(emitter.addVariant(*module, profile)))
      return stopped(Stage::Bundle, &profile);
    return CompileResult{};
  }

  LogicalResult report(ModuleOp source) {
    if (!options_.report)
      return success();
    ReportOptions wanted = *options_.report;
    auto precision = parsePrecision(options_.precision);
    if (!precision)
      return source.emitError(llvm::toString(precision.takeError()));
    wanted.precision = *precision;
    wanted.precisionText = options_.precision;
    for (const Target &target : options_.targets)
      wanted.profiles.push_back(target.profile);
    say("reporting");
    FailureOr<Report> made = makeReport(source, *model_.module, wanted);
    if (failed(made))
      return failure();
    report_ = std::move(*made);
    return success();
  }

  Result<CompileResult> disassembleAll(ModuleOp module) {
    CompileResult result;
    for (auto kernel : module.getOps<spirv::ModuleOp>()) {
      FailureOr<SmallVector<uint32_t>> words = serialize(kernel);
      if (failed(words))
        return stopped(Stage::SpirvAsm);
      Result<std::string> text = disassemble(*words);
      if (!text.isOk())
        return text.status().while_("disassembling " + kernel.getName()->str());
      result.text +=
          "; kernel " + kernel.getName()->str() + "\n" + text.value() + "\n";
    }
    return result;
  }

  LogicalResult lower(ModuleOp module,
                      llvm::function_ref<void(OpPassManager &)> build) {
    PassManager pm(&context_);
    build(pm);
    return pm.run(module);
  }

  Status stopped(Stage stage, const Profile *target = nullptr) {
    std::string where = "'" + std::string(toString(stage)) + "'";
    if (target)
      where += " for profile '" + target->name + "'";
    return Status(StatusCode::Unsupported,
                  "compilation stops before stage " + where);
  }

  /// Text of a module; weights by name and type, without their numbers.
  std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream out(text);
    OpPrintingFlags flags;
    flags.elideLargeElementsAttrs(16);
    flags.elideLargeResourceString(16);
    module.print(out, flags);
    // The elided weights leave an empty section of resources behind.
    StringRef shown = StringRef(text).rtrim();
    if (shown.consume_back("{-#\n\n#-}"))
      shown = shown.rtrim();
    return shown.str() + "\n";
  }

  void keep(Stage stage, const std::string &target, ModuleOp module) {
    if (!options_.keepStages)
      return;
    std::string name(toString(stage));
    kept_.emplace_back(target.empty() ? name : name + "." + target,
                       print(module));
  }

  MLIRContext &context_;
  const CompileOptions &options_;
  ImportedModel model_;
  std::optional<Report> report_;
  std::vector<std::pair<std::string, std::string>> kept_;
};

} // namespace

Result<CompileResult> compile(MLIRContext &context,
                              const CompileOptions &options) {
  return Compilation(context, options).run();
}

} // namespace rung
