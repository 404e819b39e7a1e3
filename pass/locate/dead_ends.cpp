// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/dead_ends.h"

#include "pass/call_graph.h"
#include "pass/locate/plan.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace culprit {

namespace {

bool stops(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && (is_dead_end(*call) || kind_of(*call) == CallKind::stops);
}

// Ways that do not end by a call that stops end by one of exit, or never.
bool only_stops(llvm::Function &function) {
  bool gives_up = false;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen{&function.getEntryBlock()};
  llvm::SmallVector<llvm::BasicBlock *, 16> rest{&function.getEntryBlock()};
  while (!rest.empty()) {
    llvm::BasicBlock *block = rest.pop_back_val();
    if (llvm::any_of(*block, stops)) {
      gives_up = true;
      continue;
    }
    const llvm::Instruction *last = block->getTerminator();
    if (llvm::isa<llvm::ReturnInst>(last))
      return false;
    const auto *invoke = llvm::dyn_cast<llvm::InvokeInst>(last);
    for (llvm::BasicBlock *next : llvm::successors(block))
      // Where what it calls has thrown, it was not this function that gave up.
      if ((invoke == nullptr || next == invoke->getNormalDest()) && seen.insert(next).second)
        rest.push_back(next);
  }
  return gives_up;
}

} // namespace

void mark_dead_ends(llvm::Module &module) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (llvm::Function &function : module)
      if (is_seen(function) && function.getName() != "main" && !function.hasAddressTaken() &&
          !function.hasFnAttribute(kDeadEnd) && only_stops(function)) {
        function.addFnAttr(kDeadEnd);
        changed = true;
      }
  }
}

bool is_dead_end(const llvm::CallBase &call) {
  const llvm::Function *callee = called_function(call);
  return callee != nullptr && callee->hasFnAttribute(kDeadEnd);
}

bool ends_by_call(const llvm::BasicBlock &block) { return llvm::any_of(block, stops); }

} // namespace culprit
