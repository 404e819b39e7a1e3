// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that may wait for another thread. One thread runs at a time (abi/locate.h): a loop that
// spins on an atomic or volatile variable would never end. Each entry of such a loop's header
// counts
// __culprit_spins down; below zero, the hook `spun` lets others run.
//
// Which loops: those with a load that is atomic or volatile, an exchange, or a call of a function
// that does such a thing and little else (std::atomic's members: nothing is inlined yet). Counting
// up (fetch_add) is no waiting.
//
// Rules: last of all, when the functions are rewritten: what is inserted here takes no time of the
// clock, so both flavours switch at the same moments. Nothing is inserted into a program that
// starts no thread itself.
#pragma once

#include "llvm/IR/Module.h"

namespace culprit {

class Hooks;

void count_spinning_loops(llvm::Module &module, Hooks &hooks);

} // namespace culprit
