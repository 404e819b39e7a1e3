// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/aliases.h"

#include "abi/locate.h"
#include "pass/locate/questions.h"
#include "pass/locate/stains.h"
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
         variable->getName() != CULPRIT_NOTHING_SYMBOL;
}

bool is_armed(const llvm::Value *address) {
  return llvm::isa<llvm::GlobalVariable>(address) && address->getName() == CULPRIT_ARMED_SYMBOL;
}

const llvm::Function *called(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr ? call->getCalledFunction() : nullptr;
}

// The runtime's work on ids: it looks at the program's memory and its shadow.
bool is_hook_for_ids(const llvm::Instruction &instruction) {
  const llvm::Function *callee = called(instruction);
  return question_of(instruction) == Question::id_if_stained ||
         (callee != nullptr &&
          llvm::StringSwitch<bool>(callee->getName())
              .Cases("__culprit_define", "__culprit_stain", "__culprit_copy_ids", "__culprit_id_of",
                     "__culprit_id_of_text", true)
              .Default(false));
}

class Kinds {
public:
  explicit Kinds(llvm::LLVMContext &context) : builder_(context) {}

  llvm::MDNode *tag(llvm::MDNode *type) { return builder_.createTBAAStructTagNode(type, type, 0); }
  llvm::MDNode *root() { return builder_.createTBAARoot("culprit"); }
  llvm::MDNode *runtime() { return kind("runtime", root()); }
  // What hooks for ids touch, all of it; what has fired makes nothing corrupt by itself.
  llvm::MDNode *hooks() { return kind("hooks", root()); }
  llvm::MDNode *stains() { return kind("stains", hooks()); }
  llvm::MDNode *fired() { return kind("fired", hooks()); }
  llvm::MDNode *armed() { return kind("armed", fired()); }
  llvm::MDNode *program() { return kind("program", fired()); }

private:
  llvm::MDNode *kind(llvm::StringRef name, llvm::MDNode *parent) {
    return builder_.createTBAAScalarTypeNode(name, parent);
  }

  llvm::MDBuilder builder_;
};

} // namespace

void tell_stain_apart(llvm::Instruction &access) {
  Kinds kinds(access.getContext());
  access.setMetadata(llvm::LLVMContext::MD_tbaa, kinds.tag(kinds.stains()));
}

void tell_runtime_variables_apart(llvm::Function &function) {
  Kinds kinds(function.getContext());
  llvm::MDNode *of_runtime = kinds.tag(kinds.runtime());
  llvm::MDNode *of_stains = kinds.tag(kinds.stains());
  llvm::MDNode *of_armed = kinds.tag(kinds.armed());
  llvm::MDNode *of_program = kinds.tag(kinds.program());
  auto tag_of = [&](const llvm::Instruction &instruction) -> llvm::MDNode * {
    if (const llvm::Value *address = llvm::getLoadStorePointerOperand(&instruction)) {
      if (is_armed(address))
        return of_armed;
      if (is_runtime_variable(address))
        return of_runtime;
      return is_of_stain(*address) ? of_stains : of_program;
    }
    if (const llvm::Function *callee = called(instruction);
        callee != nullptr && callee->getName() == "__culprit_fired")
      return kinds.tag(kinds.fired());
    if (is_hook_for_ids(instruction))
      return kinds.tag(kinds.hooks());
    return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::AnyMemIntrinsic>(
               instruction) ||
                   is_telling(instruction)
               ? of_program
               : nullptr;
  };
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::MDNode *of = tag_of(instruction))
      instruction.setMetadata(llvm::LLVMContext::MD_tbaa, of);
}

} // namespace culprit
