// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that give memory back for their caller (xfree): whoever calls them lets go of the
// block, so that is who its pointers are lost by.
//
// The mirror image of wrappers.h, and noted for the same reason before the optimiser: "F hands its
// parameter i to C as argument j, and does not read the block" (one that goes through what the
// block points to is more than a wrapper). Whether C gives it back is known when the program is
// merged; an indirect call may. One that does not costs nothing: the runtime uses what it is told
// here only if that very block is freed next.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <string>
#include <vector>

namespace culprit {

struct Site;

void note_free_wrapper_candidates(llvm::Module &module);

class FreeWrappers {
public:
  // Takes the notes out of the module.
  explicit FreeWrappers(llvm::Module &module);

  // Which argument the function gives back; none: it is no wrapper.
  std::optional<unsigned> freed_argument(llvm::StringRef function) const;

  // Moves the site of a call in inlined wrappers to where they were called. False: it is in a
  // wrapper's own body, and nobody knows from here whom that works for.
  bool charge_to_caller(Site &site) const;

private:
  struct Wrapper {
    unsigned parameter;
    llvm::StringSet<> callees; // the parameter is handed to
  };
  llvm::StringMap<Wrapper> wrappers_;
};

} // namespace culprit
