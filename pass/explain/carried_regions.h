// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The online semantics of memory indexes (abi/indexing.h; the paper's Figure 6): beside every
// pointer the program keeps goes the start of the region it was made for. A variable's address and
// an allocation's result make one, arithmetic keeps it, copies carry it: phis, selects, loads and
// stores of words, memcpy, arguments and results.
//
// What has none (made of a number, by a library, by half a word) is known by its address when
// somebody asks, as with the lazy semantics.
#pragma once

namespace llvm {
class Module;
}

namespace culprit {

void carry_regions(llvm::Module &module);

} // namespace culprit
