// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/embedded_frame.h"

#include "abi/frame.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
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

} // namespace culprit
