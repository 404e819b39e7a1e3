// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/aliases.h"

#include "abi/locate.h"
#include "pass/locate/telling_accesses.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

namespace culprit {

namespace {

bool is_runtime_variable(const llvm::Value *address) {
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(address->stripInBoundsOffsets());
  if (variable == nullptr)
    if (const auto *step = llvm::dyn_cast<llvm::ConstantExpr>(address);
        step != nullptr && step->getOpcode() == llvm::Instruction::GetElementPtr)
      variable = llvm::dyn_cast<llvm::GlobalVariable>(step->getOperand(0));
  return variable != nullptr && variable->isDeclaration() &&
         variable->getName().starts_with("__culprit_") &&
         variable->getName() != CULPRIT_NOTHING_SYMBOL &&
         variable->getName() != CULPRIT_ARMED_SYMBOL; // a hook for ids may change it
}

// The runtime's work on ids: it looks at the program's memory and its shadow.
bool is_hook_for_ids(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr &&
         llvm::StringSwitch<bool>(callee->getName())
             .Cases("__culprit_fired", "__culprit_define", "__culprit_copy_ids", "__culprit_id_of",
                    "__culprit_id_of_text", true)
             .Default(false);
}

} // namespace

void tell_runtime_variables_apart(llvm::Function &function) {
  llvm::MDBuilder builder(function.getContext());
  llvm::MDNode *root = builder.createTBAARoot("culprit");
  llvm::MDNode *program = builder.createTBAAScalarTypeNode("program", root);
  llvm::MDNode *runtime = builder.createTBAAScalarTypeNode("runtime", root);
  llvm::MDNode *of_program = builder.createTBAAStructTagNode(program, program, 0);
  llvm::MDNode *of_runtime = builder.createTBAAStructTagNode(runtime, runtime, 0);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction);
    if (address != nullptr)
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa,
                              is_runtime_variable(address) ? of_runtime : of_program);
    else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::AnyMemIntrinsic>(
                 instruction) ||
             is_hook_for_ids(instruction) || is_telling(instruction))
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa, of_program);
  }
}

} // namespace culprit
