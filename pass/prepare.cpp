// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/prepare.h"

#include "abi/features.h"
#include "abi/pass_options.h"
#include "pass/free_wrappers.h"
#include "pass/wrappers.h"

#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

namespace culprit {

bool is_instrumented(llvm::StringRef flavour) {
  return features_of({flavour.data(), flavour.size()}) != 0;
}

llvm::PreservedAnalyses PreparePass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  for (llvm::Function &function : module) {
    if (is_instrumented(flavour_) && !function.isDeclaration() &&
        !function.hasFnAttribute(llvm::Attribute::Naked))
      function.addFnAttr("frame-pointer", "all");
    // At -O0 clang marks every function optnone, and optnone requires noinline. A function that the
    // user marked noinline at a higher level has no optnone and keeps its mark.
    if (!function.hasFnAttribute(llvm::Attribute::OptimizeNone))
      continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
  }
  if (is_instrumented(flavour_)) {
    note_wrapper_candidates(module);
    note_free_wrapper_candidates(module);
    llvm::LLVMContext &context = module.getContext();
    module.getOrInsertNamedMetadata(CULPRIT_FLAVOUR_METADATA)
        ->addOperand(llvm::MDNode::get(context, {llvm::MDString::get(context, flavour_)}));
    if (is_main_)
      module.getOrInsertNamedMetadata(CULPRIT_MAIN_METADATA)
          ->addOperand(llvm::MDNode::get(context, {}));
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace culprit
