// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/capture.h"

#include "abi/frame_writer.h"
#include "abi/pass_options.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

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
  llvm::Constant *bytes = llvm::ConstantDataArray::getRaw(
      *captured_, captured_->size(), llvm::Type::getInt8Ty(module.getContext()));
  auto *global =
      new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, bytes, "culprit.frame");
  global->setSection(CULPRIT_FRAME_SECTION);
  global->setAlignment(llvm::Align(CULPRIT_FRAME_ALIGNMENT));
  // AddressSanitizer would pad it with red zones and register it at start-up.
  llvm::GlobalValue::SanitizerMetadata unsanitized;
  unsanitized.NoAddress = true;
  unsanitized.NoHWAddress = true;
  global->setSanitizerMetadata(unsanitized);
  llvm::appendToCompilerUsed(module, {global});
  captured_->clear();
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
