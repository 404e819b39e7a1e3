// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/prepare.h"

#include "llvm/IR/Module.h"

namespace culprit {

llvm::PreservedAnalyses PreparePass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  for (llvm::Function &function : module) {
    // At -O0 clang marks every function optnone, and optnone requires noinline. A function that the
    // user marked noinline at a higher level has no optnone and keeps its mark.
    if (!function.hasFnAttribute(llvm::Attribute::OptimizeNone))
      continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
