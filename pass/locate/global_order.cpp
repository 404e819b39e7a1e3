// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/global_order.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

constexpr llvm::StringLiteral kOrder = "culprit.global_order"; // one operand per module, as linked

} // namespace

void note_global_order(llvm::Module &module) {
  llvm::SmallVector<llvm::Metadata *> list;
  for (llvm::GlobalVariable &global : module.globals())
    if (!global.isDeclaration() && !global.getName().starts_with("llvm."))
      list.push_back(llvm::ValueAsMetadata::get(&global));
  module.getOrInsertNamedMetadata(kOrder)->addOperand(llvm::MDNode::get(module.getContext(), list));
}

void restore_global_order(llvm::Module &module) {
  llvm::NamedMDNode *notes = module.getNamedMetadata(kOrder);
  if (notes == nullptr)
    return;
  llvm::SetVector<llvm::GlobalVariable *> order; // one that several modules define, in the first
  for (const llvm::MDNode *list : notes->operands())
    for (const llvm::MDOperand &operand : list->operands())
      if (const auto *value = llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(operand.get()))
        if (auto *global =
                llvm::dyn_cast<llvm::GlobalVariable>(value->getValue()->stripPointerCasts()))
          order.insert(global);
  notes->eraseFromParent();
  for (llvm::GlobalVariable *global : order) {
    module.removeGlobalVariable(global);
    module.insertGlobalVariable(global); // at the end
  }
}

} // namespace culprit
