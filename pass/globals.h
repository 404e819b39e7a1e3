// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a unit that have a fixed place: globals, also those inside functions.
//
// Only what the program can write: constants are not watched, nor are thread-local variables (they
// have one place per thread, which nothing announces), nor what serves the instrumentation of
// others (profile counters, coverage tables: sections of their own). The size is that of the IR,
// which knows what the linker made of common symbols; names, types and members come from the debug
// information. A global that the optimiser split is named by variable and member.
#pragma once

#include "pass/layouts.h"
#include "pass/variables.h"

#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace culprit {

// In the module's order.
std::vector<Variable> find_globals(llvm::Module &module, Layouts &layouts);

// What lies behind those that are arrays or have one inside, as variables: an overrun of one that
// nothing follows (padding, the end of the section) has a name to meet. Nothing is moved apart for
// it: the runtime names these bytes as far as no variable is there.
std::vector<Variable> gaps_behind(const std::vector<Variable> &globals);

} // namespace culprit
