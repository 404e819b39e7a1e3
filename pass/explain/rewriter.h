// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments one function for the explain flavour. Order matters: accesses and sites are those of
// the program, so they are found first; points are calls, so they are inserted before it is asked
// what lives across calls; moving that into memory may change the control flow, so cycles come
// after it; the frame is last, when all variables are there.
#pragma once

#include "pass/explain/frame.h"
#include "pass/explain/tables.h"
#include "pass/hooks.h"
#include "pass/library_calls.h"

#include "llvm/IR/Function.h"

#include <vector>

namespace culprit {

// Can the function have a frame?
bool is_explained(const llvm::Function &function);

// May code that is not seen catch an exception there, which ended frames that are? Then control
// comes back with them still counted as active.
bool may_swallow(const llvm::CallBase &call);
// Where control comes back to from the call, if it does not by an exception.
llvm::Instruction *behind(llvm::CallBase &call);

class ExplainRewriter {
public:
  ExplainRewriter(llvm::Function &function, ExplainTables &tables, Hooks &hooks,
                  LibraryCalls &library);
  void rewrite();

private:
  struct Placed {
    llvm::Instruction *at;
    unsigned site;
    bool is_call;
  };
  // The first instruction of each line in a block.
  static std::vector<llvm::Instruction *> statements_of(llvm::BasicBlock &block);
  void find_sites();
  void insert_point(llvm::Instruction &first, unsigned ways);
  void insert_choice(llvm::IRBuilder<> &builder, llvm::SwitchInst &chosen, unsigned site);
  void find_sized();
  void find_accesses();
  void tell_access(llvm::Instruction &access);
  void tell_kept(llvm::StoreInst &store);
  void insert_counters(const ResultNames &results);
  void insert_ends();

  llvm::Function &function_;
  ExplainTables &tables_;
  Hooks &hooks_;
  LibraryCalls &library_;
  Frame frame_;
  std::vector<Placed> sites_;
  std::vector<llvm::Instruction *> accesses_;
};

} // namespace culprit
