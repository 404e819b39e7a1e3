// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/prepare.h"

#include "abi/features.h"
#include "abi/pass_options.h"
#include "pass/free_wrappers.h"
#include "pass/locate/global_order.h"
#include "pass/new_types.h"
#include "pass/value_alignment.h"
#include "pass/wrappers.h"

#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

namespace culprit {

bool is_instrumented(llvm::StringRef flavour) {
  return features_of({flavour.data(), flavour.size()}) != 0;
}

bool is_instrumented_first(llvm::StringRef flavour) {
  return (features_of({flavour.data(), flavour.size()}) &
          (CULPRIT_FEATURE_LOCATE | CULPRIT_FEATURE_EXPLAIN | CULPRIT_FEATURE_INDEX)) != 0;
}

std::string flavour_of(const llvm::Module &module) {
  const llvm::NamedMDNode *node = module.getNamedMetadata(CULPRIT_FLAVOUR_METADATA);
  if (node != nullptr && node->getNumOperands() > 0 && node->getOperand(0)->getNumOperands() > 0)
    if (const auto *name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0)->getOperand(0)))
      return name->getString().str();
  return "";
}

std::string take_flavour(llvm::Module &module) {
  std::string flavour = flavour_of(module);
  if (llvm::NamedMDNode *node = module.getNamedMetadata(CULPRIT_FLAVOUR_METADATA))
    node->eraseFromParent();
  return flavour;
}

bool take_main(llvm::Module &module) {
  llvm::NamedMDNode *node = module.getNamedMetadata(CULPRIT_MAIN_METADATA);
  if (node == nullptr)
    return false;
  node->eraseFromParent();
  return true;
}

llvm::PreservedAnalyses PreparePass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  // An index flavour walks frames of its own.
  const bool indexes = (features_of(flavour_) & CULPRIT_FEATURE_INDEX) != 0;
  for (llvm::Function &function : module) {
    if (is_instrumented(flavour_) && !indexes && !function.isDeclaration() &&
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
    if (is_instrumented_first(flavour_)) {
      note_global_order(module);
    } else {
      note_wrapper_candidates(module);
      note_free_wrapper_candidates(module);
      keep_new_types(module);
      if ((features_of(flavour_) & CULPRIT_FEATURE_ACCESS) != 0)
        state_value_alignments(module);
    }
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
