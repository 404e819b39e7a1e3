// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program under suspicion breaks the rules that an optimiser builds on: it dereferences null,
// overflows, writes through the wrong type, uses what is out of scope. What the optimiser would
// conclude from these never happening is taken out of the module, so that the error shows where it
// is. What is said about functions that get code of ours (memory effects, purity) is no longer
// true and goes too.
#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace culprit {

void drop_assumptions(llvm::Module &module);

// A library function that reads what instrumented code has stored for it, as allocations do:
// nothing that is known of libc's holds for it.
void forget_library(llvm::Function &function);

} // namespace culprit
