// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that need no check, because their pair (site, name) is known when compiling or another
// check tells the same.
//
//   - safe locals: the access stays inside a local variable, whatever it is (LLVM's stack safety).
//     Of locals that no other code can reach nothing is ever told, in no flavour;
//   - direct accesses to named variables, and indexed ones that cannot leave a global;
//   - a stretch: of accesses at constant distances from one pointer that happen together or not at
//     all, with nothing in between that may free, the first and the last byte are enough. If both
//     lie in objects this code is known to access, so does what is between. Together or not at all:
//     a check under a condition of its own says something of its own and stays;
//   - a new block of constant size, from end to end;
//   - repeated checks (access_repeats.h).
//
// Counting and event flavours keep all but unreachable locals. So does a program with watch points
// (culprit_watch_on): a callback wants every access.
#pragma once

#include "pass/accesses.h"
#include "pass/free_reach.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/StackSafetyAnalysis.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <vector>

namespace culprit {

class AccessRemoval {
public:
  // keeps_all: nothing but locals that no other code can reach is removed.
  AccessRemoval(const llvm::Module &module, const llvm::StackSafetyGlobalInfo &stack,
                const FreeReach &frees, bool keeps_all)
      : layout_(module.getDataLayout()), stack_(stack), frees_(frees), keeps_all_(keeps_all) {}

  // One by one.
  void remove_known(llvm::Function &function, std::vector<Access> &accesses,
                    llvm::FunctionAnalysisManager &analyses) const;
  // Those between the ends of a stretch, and repeats. `accesses` are the function's, in the order
  // of its instructions; a hoisted one stands before a terminator.
  void remove_covered(llvm::Function &function, std::vector<Access> &accesses,
                      llvm::FunctionAnalysisManager &analyses) const;

private:
  bool is_known(const Access &access, llvm::ScalarEvolution &evolution) const;

  const llvm::DataLayout &layout_;
  const llvm::StackSafetyGlobalInfo &stack_;
  const FreeReach &frees_;
  bool keeps_all_;
};

} // namespace culprit
