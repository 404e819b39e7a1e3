// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/capture.h"

#include "abi/frame_writer.h"
#include "abi/pass_options.h"
#include "pass/embedded_frame.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace culprit {

llvm::PreservedAnalyses CapturePass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  std::string bitcode;
  {
    llvm::raw_string_ostream out(bitcode);
    // Without use-list order: it is half as large again, and replayed modules compile to the same
    // code.
    llvm::WriteBitcodeToFile(module, out, /*ShouldPreserveUseListOrder=*/false);
  }

  llvm::json::Object metadata;
  if (auto parsed = llvm::json::parse(metadata_)) {
    if (const llvm::json::Object *given = parsed->getAsObject())
      metadata = *given;
  } else {
    llvm::consumeError(parsed.takeError());
  }
  metadata[CULPRIT_META_SOURCE] = llvm::json::fixUTF8(module.getSourceFileName());
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(metadata));

  *captured_ = write_frame({CULPRIT_FRAME_BITCODE, text, bitcode});
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses EmbedPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (captured_->empty())
    return llvm::PreservedAnalyses::all();
  embed_frame(module, *captured_);
  captured_->clear();
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
