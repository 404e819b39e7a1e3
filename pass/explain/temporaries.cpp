// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/temporaries.h"

#include "pass/source_place.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <vector>

namespace culprit {

namespace {

bool may_stop(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction);
}

// Where variables of variable length end is not for another run to say.
bool is_stack_pointer(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::stacksave;
}

// Is there a call between the two, which are in one block in this order?
bool is_call_between(const llvm::Instruction &first, const llvm::Instruction &last) {
  for (const llvm::Instruction *next = first.getNextNode(); next != nullptr && next != &last;
       next = next->getNextNode())
    if (may_stop(*next))
      return true;
  return false;
}

bool lives_across(const llvm::Instruction &value) {
  return llvm::any_of(value.users(), [&](const llvm::User *user) {
    const auto *instruction = llvm::cast<llvm::Instruction>(user);
    return instruction->getParent() != value.getParent() || is_call_between(value, *instruction);
  });
}

bool lives_across(const llvm::Argument &argument) {
  const llvm::BasicBlock &entry = argument.getParent()->getEntryBlock();
  return llvm::any_of(argument.users(), [&](const llvm::User *user) {
    const auto *instruction = llvm::cast<llvm::Instruction>(user);
    return instruction->getParent() != &entry || may_stop(entry.front()) ||
           is_call_between(entry.front(), *instruction);
  });
}

// An argument passed by value lies in the caller's frame, but it is this function's.
void copy_by_value(llvm::Argument &argument) {
  llvm::Function &function = *argument.getParent();
  llvm::Type *type = argument.getParamByValType();
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  auto *copy = new llvm::AllocaInst(type, 0, nullptr, argument.getParamAlign().valueOrOne(),
                                    argument.getName() + ".copy", function.getEntryBlock().begin());
  argument.replaceAllUsesWith(copy);
  builder.CreateMemCpy(copy, copy->getAlign(), &argument, copy->getAlign(),
                       layout.getTypeAllocSize(type));
}

void keep_argument(llvm::Argument &argument) {
  llvm::Function &function = *argument.getParent();
  auto *slot = new llvm::AllocaInst(argument.getType(), 0, argument.getName() + ".kept",
                                    function.getEntryBlock().begin());
  for (llvm::Use &use : llvm::make_early_inc_range(argument.uses())) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    use.set(new llvm::LoadInst(argument.getType(), slot, "", user->getIterator()));
  }
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  builder.CreateStore(&argument, slot);
}

// "Queue::size()"
std::string readable_call(const llvm::Function &callee) {
  constexpr llvm::StringRef kAnonymous = "(anonymous namespace)::";
  std::string readable = llvm::demangle(source_name(callee));
  for (size_t at = readable.find(kAnonymous); at != std::string::npos;
       at = readable.find(kAnonymous))
    readable.erase(at, kAnonymous.size());
  return llvm::StringRef(readable).split('(').first.str() + "()";
}

// Where a function with several returns puts its result: nothing but the return reads it.
bool keeps_result(const llvm::AllocaInst &local) {
  return llvm::any_of(local.users(), [](const llvm::User *user) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(user);
    return load != nullptr && load->hasOneUse() && llvm::isa<llvm::ReturnInst>(load->user_back());
  });
}

} // namespace

ResultNames put_temporaries_into_memory(llvm::Function &function) {
  ResultNames names;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local != nullptr && keeps_result(*local))
      names[local] = readable_call(function);
  std::vector<llvm::PHINode *> phis;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      phis.push_back(phi);
  for (llvm::PHINode *phi : phis)
    llvm::DemotePHIToStack(phi, function.getEntryBlock().begin());
  for (llvm::Argument &argument : function.args()) {
    if (argument.hasByValAttr())
      copy_by_value(argument);
    else if (!argument.hasSwiftErrorAttr() && lives_across(argument))
      keep_argument(argument);
  }
  std::vector<llvm::Instruction *> values;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (!llvm::isa<llvm::AllocaInst>(instruction) && !is_stack_pointer(instruction) &&
        !instruction.getType()->isTokenTy() && !instruction.getType()->isVoidTy() &&
        lives_across(instruction))
      values.push_back(&instruction);
  for (llvm::Instruction *value : values) {
    llvm::AllocaInst *slot =
        llvm::DemoteRegToStack(*value, /*VolatileLoads=*/false, function.getEntryBlock().begin());
    const auto *call = llvm::dyn_cast<llvm::CallBase>(value);
    if (call != nullptr && call->getCalledFunction() != nullptr && slot != nullptr)
      names[slot] = readable_call(*call->getCalledFunction());
  }
  return names;
}

} // namespace culprit
