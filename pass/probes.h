// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting function entries as the source has them.
//
// Before the optimiser runs, each function gets a `llvm.pseudoprobe` at its entry, with a GUID of
// ours. The optimiser takes these for free (the inliner, the vectoriser and the alias analyses all
// look through them) and copies them with the code when it inlines, so the entries that inlining
// removes are still counted. After the optimiser, each basic block subtracts its number of probes
// from the thread's countdown and calls the runtime when that is below zero.
//
// No probe in a function that does no work (pass/work_reach.h): it cannot change the heap, there
// are very many of them, and in a recursive walk the countdown would be most of the cost. What only
// some flavours count, and what only the whole program shows, is taken out again after the
// optimiser: so every flavour with metric points counts the same entries. Probes of the user's own
// (-fpseudo-probe-for-profiling) are left alone.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

#include <vector>

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

struct BlockEntries {
  llvm::Instruction *probe;
  uint64_t count;
};

// Of functions that do no work, as their own module showed or the whole one shows; all of them in a
// flavour that neither makes metric points nor counts accesses.
void drop_idle_probes(llvm::Module &module, unsigned features);

// Leaves one probe in each block that has any, the first, and says how many it stands for. To be
// called before anything splits blocks.
std::vector<BlockEntries> gather_probes(llvm::Function &function);

// Puts the countdown in the place of the probes.
void lower_probes(llvm::ArrayRef<BlockEntries> entries, Hooks &hooks);

} // namespace culprit
