// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin's entry: which passes run where. Three jobs, each asked for by an option
// (abi/pass_options.h):
//   capture   at pipeline start the module's bitcode is written to memory, after the optimiser it
//   is put into
//             the module as a frame, so the optimiser never sees it (`culprit cc`);
//   strip     debug information that was only wanted for the capture is taken out again (`culprit
//   cc`, and
//             the identity flavour, which replays what `culprit cc` did);
//   prepare   a module is made ready for whole-program work (all other flavours); for the
//   instrumented
//             flavours it is also given its entry probes and told which flavour it will be.
// The instrumentation itself runs as late as possible, on what the optimiser leaves: at the end of
// link-time optimisation on the merged program, or at the end of the module's own pipeline if it is
// compiled alone (an option says so: a module that still goes to the linker must not be
// instrumented twice). The locate and explain flavours are the exception: their modules are merged
// as they are and instrumented before anything is optimised. lld passes no options to plugins, so
// there the flavour is read from the module. Rules: all passes are required (they must run at -O0
// and on optnone functions), and with no option given the plugin does nothing.
#include "pass/capture.h"
#include "pass/debug_info.h"
#include "pass/explain/explain.h"
#include "pass/locate/behind_gs.h"
#include "pass/locate/clean_copies.h"
#include "pass/locate/data_stack.h"
#include "pass/locate/late_reads.h"
#include "pass/locate/library.h"
#include "pass/locate/locate.h"
#include "pass/locate/varargs.h"
#include "pass/monitor.h"
#include "pass/prepare.h"
#include "pass/probes.h"

#include "abi/pass_options.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

namespace {

llvm::cl::opt<std::string> capture_metadata(CULPRIT_PASS_CAPTURE,
                                            llvm::cl::desc("capture bitcode with this metadata"));
llvm::cl::opt<bool>
    strip_debug(CULPRIT_PASS_STRIP_DEBUG,
                llvm::cl::desc("strip the debug information added for the capture"));
llvm::cl::opt<std::string> flavour(CULPRIT_PASS_FLAVOUR, llvm::cl::desc("flavour being made"));
llvm::cl::opt<bool> alone(CULPRIT_PASS_ALONE,
                          llvm::cl::desc("the module does not go through link-time optimisation"));
llvm::cl::opt<bool> main_unit(CULPRIT_PASS_MAIN,
                              llvm::cl::desc("the module is part of an executable's main unit"));

void register_callbacks(llvm::PassBuilder &builder) {
  // One capture per pipeline: clang builds one pipeline per module.
  auto captured = std::make_shared<std::string>();
  builder.registerPipelineStartEPCallback(
      [captured](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
        if (!capture_metadata.empty())
          manager.addPass(culprit::CapturePass(captured, capture_metadata));
        if (strip_debug)
          manager.addPass(culprit::StripDebugPass());
        if (!flavour.empty())
          manager.addPass(culprit::PreparePass(flavour, main_unit));
        if (culprit::is_instrumented(flavour) && !culprit::is_instrumented_first(flavour))
          manager.addPass(culprit::ProbePass());
      });
  builder.registerOptimizerLastEPCallback(
      [captured](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
        if (!capture_metadata.empty())
          manager.addPass(culprit::EmbedPass(captured));
        if (alone)
          manager.addPass(culprit::MonitorPass());
      });
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [&builder](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
        manager.addPass(culprit::LocatePass(&builder));
        manager.addPass(culprit::ExplainPass(&builder));
      });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [](llvm::ModulePassManager &manager, llvm::OptimizationLevel) {
        manager.addPass(culprit::MonitorPass());
        manager.addPass(culprit::LateReadsPass());
        manager.addPass(culprit::BehindGsPass());
      });
  // By name, so that `opt` can test each pass alone.
  builder.registerPipelineParsingCallback(
      [captured](llvm::StringRef name, llvm::ModulePassManager &manager,
                 llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name == "culprit-capture")
          manager.addPass(culprit::CapturePass(captured, capture_metadata));
        else if (name == "culprit-embed")
          manager.addPass(culprit::EmbedPass(captured));
        else if (name == "culprit-strip-debug")
          manager.addPass(culprit::StripDebugPass());
        else if (name == "culprit-prepare")
          manager.addPass(culprit::PreparePass(flavour, main_unit));
        else if (name == "culprit-probes")
          manager.addPass(culprit::ProbePass());
        else if (name == "culprit-locate")
          manager.addPass(culprit::LocatePass());
        else if (name == "culprit-explain")
          manager.addPass(culprit::ExplainPass());
        else if (name == "culprit-monitor")
          manager.addPass(culprit::MonitorPass());
        else if (name == "culprit-clean-copies")
          manager.addPass(culprit::CleanCopiesPass());
        else if (name == "culprit-late-reads")
          manager.addPass(culprit::LateReadsPass());
        else if (name == "culprit-behind-gs")
          manager.addPass(culprit::BehindGsPass());
        else if (name == "culprit-data-stack")
          manager.addPass(culprit::DataStackPass());
        else if (name == "culprit-library-ids")
          manager.addPass(culprit::LibraryIdsPass());
        else if (name == "culprit-variadic-ids")
          manager.addPass(culprit::VariadicIdsPass());
        else
          return false;
        return true;
      });
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "culprit", LLVM_VERSION_STRING, register_callbacks};
}
