// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/work_reach.h"

#include "pass/writes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IntrinsicInst.h"

#include <vector>

namespace culprit {

namespace {

const llvm::Function *called_here(const llvm::CallBase &call) {
  const auto *function =
      llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  return function != nullptr && !function->isDeclaration() ? function : nullptr;
}

// What can be said without the call graph.
bool works_itself(const llvm::Instruction &instruction, const llvm::DataLayout &layout) {
  // The instruction is not changed: a Write says where to insert, too.
  if (heap_write(const_cast<llvm::Instruction &>(instruction), layout))
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) &&
         called_here(*call) == nullptr && !call->onlyReadsMemory();
}

} // namespace

WorkReach::WorkReach(const llvm::Module &module) {
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<const llvm::Function *>> callers;
  std::vector<const llvm::Function *> open;
  auto reach = [&](const llvm::Function *function) {
    if (working_.insert(function).second)
      open.push_back(function);
  };
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block) {
        if (works_itself(instruction, module.getDataLayout()))
          reach(&function);
        else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const llvm::Function *callee = called_here(*call))
            callers[callee].push_back(&function);
      }
  while (!open.empty()) {
    const llvm::Function *function = open.back();
    open.pop_back();
    const auto found = callers.find(function);
    if (found == callers.end())
      continue;
    for (const llvm::Function *caller : found->second)
      reach(caller);
  }
}

} // namespace culprit
