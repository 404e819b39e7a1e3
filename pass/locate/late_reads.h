// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids are read where they are needed, not where their value is. A loop that walks along a list
// reads the id of every pointer on the way, and mostly asks for one: that costs a miss of the cache
// for each. Where nothing can have changed the id meanwhile (unwritten.h), it is enough to remember
// where it stands.
//
// An id that was read is replaced by the address of its cells; so are phis of such ids. Other
// inputs of these phis are put into a place on the stack. Whoever asks for the id reads it from
// there, at the coldest point on the way; an access that tells by itself (telling_accesses.h) need
// not read at all.
//
// Rules: runs when all else is done, on functions of locate's section. Only what is expected to be
// less work is changed, judged by the block frequencies that LLVM estimates.
#pragma once

#include "llvm/IR/PassManager.h"

namespace culprit {

class LateReadsPass : public llvm::PassInfoMixin<LateReadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace culprit
