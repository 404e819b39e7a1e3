// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/loop_weights.h"

#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/ProfDataUtils.h"

namespace culprit {

void weigh_loops(llvm::Function &function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  const llvm::BranchProbabilityInfo probabilities(function, loops);
  for (llvm::BasicBlock &block : function) {
    auto *way = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    const llvm::Loop *loop = loops.getLoopFor(&block);
    if (way == nullptr || !way->isConditional() || loop == nullptr ||
        !loop->isLoopExiting(&block) || llvm::hasBranchWeightMD(*way))
      continue;
    way->setMetadata(llvm::LLVMContext::MD_prof,
                     llvm::MDBuilder(function.getContext())
                         .createBranchWeights(
                             probabilities.getEdgeProbability(&block, 0U).getNumerator() >> 11U,
                             probabilities.getEdgeProbability(&block, 1U).getNumerator() >> 11U));
  }
}

} // namespace culprit
