// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/call_graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

#include <vector>

namespace culprit {

const llvm::Function *called_function(const llvm::CallBase &call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

const llvm::Function *called_here(const llvm::CallBase &call) {
  const llvm::Function *function = called_function(call);
  return function != nullptr && !function->isDeclaration() ? function : nullptr;
}

llvm::DenseSet<const llvm::Function *>
reaching(const llvm::Module &module,
         llvm::function_ref<bool(const llvm::Instruction &)> is_wanted) {
  llvm::DenseSet<const llvm::Function *> reached;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<const llvm::Function *>> callers;
  std::vector<const llvm::Function *> open;
  auto reach = [&](const llvm::Function *function) {
    if (reached.insert(function).second)
      open.push_back(function);
  };
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block) {
        if (is_wanted(instruction))
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
  return reached;
}

} // namespace culprit
