// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/slots.h"

#include "abi/locate.h"

#include "llvm/IR/InlineAsm.h"

namespace culprit {

llvm::GlobalVariable *runtime_variable(llvm::Module &module, llvm::StringRef name,
                                       llvm::Type *type) {
  auto *variable = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, type));
  variable->setDSOLocal(true);
  return variable;
}

llvm::Constant *argument_slot(llvm::Module &module, unsigned number) {
  llvm::Type *id_type = llvm::Type::getInt64Ty(module.getContext());
  llvm::GlobalVariable *slots = runtime_variable(
      module, CULPRIT_ARGUMENT_IDS_SYMBOL, llvm::ArrayType::get(id_type, CULPRIT_ARGUMENT_IDS));
  return llvm::cast<llvm::Constant>(
      llvm::IRBuilder<>(module.getContext()).CreateConstGEP1_64(id_type, slots, number));
}

void mark_place(llvm::IRBuilder<> &builder, unsigned number) {
  llvm::Type *narrow = builder.getInt32Ty();
  auto *row = llvm::InlineAsm::get(llvm::FunctionType::get(builder.getVoidTy(), {narrow}, false),
                                   "1:\n\t.pushsection " CULPRIT_PLACES_SECTION
                                   ",\"aR\",@progbits\n\t.long 1b-., ${0:c}\n\t"
                                   ".popsection",
                                   "i", /*hasSideEffects=*/true);
  llvm::CallInst *mark = builder.CreateCall(row, {builder.getInt32(number)});
  mark->setDoesNotThrow();
  mark->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
}

bool is_called_by_name_only(const llvm::Function &function) {
  return function.hasLocalLinkage() && !function.hasAddressTaken();
}

llvm::Value *if_meant(llvm::IRBuilder<> &builder, llvm::Function &function, llvm::Value *theirs,
                      llvm::Value *otherwise) {
  if (is_called_by_name_only(function))
    return theirs;
  llvm::GlobalVariable *callee =
      runtime_variable(*function.getParent(), CULPRIT_CALLEE_SYMBOL, builder.getPtrTy());
  llvm::Value *is_meant =
      builder.CreateICmpEQ(builder.CreateLoad(builder.getPtrTy(), callee), &function);
  return builder.CreateSelect(is_meant, theirs, otherwise);
}

} // namespace culprit
