// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation wrappers: functions that hand out memory without using it (xmalloc). The interesting
// site of such a block is the wrapper's caller.
//
// Wrappers are mostly inlined away before the program is instrumented, so candidates are looked for
// before the optimiser and noted in the module's metadata by name: "F returns what C returned, and
// writes nothing through it". To return it is also to store it where a parameter says (*result =
// p). Whether C allocates is known when the program is merged. Clearing the block is no use of it,
// and nor is asking how large it is.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

namespace culprit {

void note_wrapper_candidates(llvm::Module &module);

class Wrappers {
public:
  // Takes the notes out of the module.
  explicit Wrappers(llvm::Module &module);

  // Is the call of `callee` in `function` one whose result is handed out?
  bool hands_out(llvm::StringRef function, llvm::StringRef callee) const;
  bool is_wrapper(llvm::StringRef function) const { return wrappers_.contains(function); }

private:
  bool is_source(llvm::StringRef callee) const;

  llvm::StringMap<llvm::StringSet<>> callees_; // of each candidate
  llvm::StringSet<> wrappers_;
};

} // namespace culprit
