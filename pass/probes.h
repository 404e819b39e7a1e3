// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting function entries as the source has them.
//
// Before the optimiser runs, each function gets a `llvm.pseudoprobe` at its entry, with a GUID of
// ours. The optimiser takes these for free (the inliner, the vectoriser and the alias analyses all
// look through them) and copies them with the code when it inlines, so the entries that inlining
// removes are still counted. After the optimiser, each basic block subtracts its number of probes
// from the thread's countdown and calls the runtime when that is below zero.
//
// No probe in a function that neither calls anything nor stores except to its own locals: such an
// accessor does no work on the heap, and there are very many of them.
// Probes of the user's own (-fpseudo-probe-for-profiling) are left alone.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
}

namespace culprit {

class Hooks;

class ProbePass : public llvm::PassInfoMixin<ProbePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

bool is_entry_probe(const llvm::Instruction &instruction);

// Replaces the probes of one function; true if there were any.
bool lower_probes(llvm::Function &function, Hooks &hooks);

} // namespace culprit
