// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/embedded_frame.h"

#include "abi/frame_writer.h"
#include "abi/sites.h"
#include "pass/source_place.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace culprit {

void embed_frame(llvm::Module &module, llvm::StringRef frame) {
  llvm::Constant *bytes = llvm::ConstantDataArray::getRaw(
      frame, frame.size(), llvm::Type::getInt8Ty(module.getContext()));
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
}

void embed_sites(llvm::Module &module, uint64_t unit, llvm::StringRef tables) {
  std::string metadata;
  llvm::raw_string_ostream(metadata)
      << llvm::json::Value(llvm::json::Object{{CULPRIT_SITES_UNIT, hex(unit)}});
  embed_frame(module, write_frame({CULPRIT_FRAME_SITES, metadata, tables}));
}

} // namespace culprit
