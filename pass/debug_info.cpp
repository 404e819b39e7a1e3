// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's front end emits the same code with and without debug information (also the locals that
// serve the debugger alone, such as a variable-length array's bound), so taking out the metadata is
// enough.
#include "pass/debug_info.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"

namespace culprit {

llvm::PreservedAnalyses StripDebugPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::StripDebugInfo(module);

  // The flags that only a module with debug information has.
  if (llvm::NamedMDNode *flags = module.getModuleFlagsMetadata()) {
    llvm::SmallVector<llvm::MDNode *> kept;
    for (llvm::MDNode *flag : flags->operands()) {
      const auto *key = llvm::dyn_cast_or_null<llvm::MDString>(flag->getOperand(1));
      if (key && (key->getString() == "Dwarf Version" || key->getString() == "Debug Info Version"))
        continue;
      kept.push_back(flag);
    }
    flags->clearOperands();
    for (llvm::MDNode *flag : kept)
      flags->addOperand(flag);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
