// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/outside_loops.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

namespace culprit {

llvm::Instruction *place_before_all(llvm::Function &function,
                                    llvm::ArrayRef<llvm::Instruction *> uses) {
  const llvm::DominatorTree dominators(function);
  llvm::BasicBlock *block = nullptr;
  for (llvm::Instruction *use : uses) {
    llvm::BasicBlock *here = use->getParent();
    if (dominators.isReachableFromEntry(here))
      block = block == nullptr ? here : dominators.findNearestCommonDominator(block, here);
  }
  if (block == nullptr)
    return nullptr;
  llvm::DenseSet<const llvm::BasicBlock *> repeated;
  for (auto cycle = llvm::scc_begin(&function); !cycle.isAtEnd(); ++cycle)
    if (cycle.hasCycle())
      repeated.insert(cycle->begin(), cycle->end());
  auto *node = dominators.getNode(block);
  // The entry block has no predecessors, so the walk ends there at the latest.
  while (repeated.contains(node->getBlock()) || node->getBlock()->isEHPad())
    node = node->getIDom();
  block = node->getBlock();
  return block->isEntryBlock() ? &*block->getFirstNonPHIOrDbgOrAlloca()
                               : &*block->getFirstInsertionPt();
}

} // namespace culprit
