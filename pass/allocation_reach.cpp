// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/allocation_reach.h"

#include "pass/hooks.h"
#include "pass/library_calls.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

// The function of this unit that is called directly.
const llvm::Function *called_here(const llvm::CallBase &call) {
  const auto *function =
      llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  return function != nullptr && !function->isDeclaration() ? function : nullptr;
}

} // namespace

bool AllocationReach::leaves_to_allocate(const llvm::CallBase &call) const {
  if (call.isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call))
    return false;
  if (const llvm::Function *library = called_library_function(call))
    return !allocation_hook(library->getName()).empty() ||
           (!library_.is_known(*library) && !library->onlyReadsMemory());
  return called_here(call) == nullptr; // indirect
}

AllocationReach::AllocationReach(llvm::Module &module, LibraryCalls &library) : library_(library) {
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<const llvm::Function *>> callers;
  std::vector<const llvm::Function *> work;
  auto reach = [&](const llvm::Function *function) {
    if (reaching_.insert(function).second)
      work.push_back(function);
  };
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr)
          continue;
        if (leaves_to_allocate(*call))
          reach(&function);
        else if (const llvm::Function *callee = called_here(*call))
          callers[callee].push_back(&function);
      }
  while (!work.empty()) {
    const llvm::Function *function = work.back();
    work.pop_back();
    const auto found = callers.find(function);
    if (found == callers.end())
      continue;
    for (const llvm::Function *caller : found->second)
      reach(caller);
  }
}

bool AllocationReach::may_allocate(const llvm::CallBase &call) const {
  if (leaves_to_allocate(call))
    return true;
  const llvm::Function *callee = called_here(call);
  return callee != nullptr && reaching_.contains(callee);
}

bool is_allocation(const llvm::CallBase &call) {
  const llvm::Function *library = called_library_function(call);
  return library != nullptr && !allocation_hook(library->getName()).empty();
}

} // namespace culprit
