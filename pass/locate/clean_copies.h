// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the suppress flavour get a second copy of their code: the *clean* one, in which
// nothing is corrupt. It asks no id whether it is; it only looks where something corrupt could come
// in: a read of memory with a stain, an argument or a result that is corrupt, a definition that
// fires. From there it goes on in the other copy, which asks everywhere, and never comes back
// before the function returns.
//
// Both copies do the same otherwise (same ids, same clock), and the way over leads from a point of
// one to the same point of the other. So most executions pay for looking at what they read, and for
// nothing else, before a target fires as well as behind that.
//
// Rules: answers all questions (questions.h) of the module. Runs when functions have been inlined
// into each other. Functions that cannot be copied (computed jumps), or are very long, ask
// everywhere.
#pragma once

#include "llvm/IR/PassManager.h"

namespace culprit {

class CleanCopiesPass : public llvm::PassInfoMixin<CleanCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace culprit
