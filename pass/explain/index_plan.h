// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has to be instrumented so that every allocation has its structural index (abi/indexing.h),
// by the call graph of the whole program, and what each call is in the tables.
//
// Relevance: a call is a site if an allocation can be reached by it. What the library defines may
// allocate or call back unless its attributes forbid that; so may what is called by pointer.
// Dominance: a function with one call in the whole program has no frame: that call tells how it was
// reached, so its sites stand in its caller's frame.
// Open functions may be called by code that is not seen: there, what happened before at the
// caller's site tells executions apart, so each entry is counted.
#pragma once

#include "abi/indexing.h"
#include "pass/explain/cycles.h"
#include "pass/explain/ids.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <vector>

namespace culprit {

class IndexPlan {
public:
  // `whole`: nothing is left out, to see what that saves.
  IndexPlan(llvm::Module &module, bool whole);

  struct Site {
    llvm::CallBase *call;
    unsigned number;  // in the tables, from 1
    unsigned via = 0; // of the call that its function has instead of a frame
    unsigned first = 0;
    llvm::SmallVector<unsigned, 2> counters = {}; // of the function's cycles
    uint64_t id = 0;
    uint64_t function_id = 0;
  };
  struct Function {
    llvm::Function *function;
    bool has_frame = false;
    bool is_open = false;
    bool whole = false;                       // all its cycles are counted, in memory
    std::unique_ptr<Cycles> cycles = nullptr; // null: it has no sites
    std::vector<Site> sites = {};
    unsigned slots = 0; // counters that its frame has room for
  };

  // In the order of the module: those with sites, and open ones without.
  std::vector<Function> &functions() { return functions_; }
  unsigned site_count() const { return site_count_; }
  const culprit_index_extent &extent() const { return extent_; }
  // Library functions that are called by sites: they read frames.
  const llvm::DenseSet<llvm::Function *> &libraries() const { return libraries_; }

private:
  bool may_allocate(const llvm::CallBase &call) const;
  bool is_site(const llvm::CallBase &call) const;
  void find_reach(llvm::Module &module);
  void place(unsigned number);
  const llvm::CallBase *only_call_of(const llvm::Function &function) const;
  void find_dominated();
  void measure();

  bool whole_;
  llvm::DenseSet<const llvm::Function *> reaching_;
  llvm::DenseSet<const llvm::Function *> explained_;
  llvm::DenseMap<const llvm::Function *, unsigned> numbers_; // in functions_
  // Of functions without a frame.
  llvm::DenseMap<const llvm::Function *, const llvm::CallBase *> only_call_;
  llvm::DenseSet<llvm::Function *> libraries_;
  llvm::DenseSet<const llvm::Function *> placed_;
  std::vector<Function> functions_;
  unsigned site_count_ = 0;
  culprit_index_extent extent_ = {};
};

} // namespace culprit
