// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The write barrier (abi/monitor.h, "Cards"): after writes that matter, the card is checked inline
// and the runtime is called if it is clean.
//
// Nothing can look at the cards between two instructions that cannot reach a metric point, so the
// checks of a stretch of code are collected and made at its end: before the next call, entry probe
// or terminator. Writes at constant distances from one pointer share checks: a stretch of at most
// 128 bytes lies on at most two cards, so its first and its last written word are enough, and one
// check is enough where the alignment shows that both are on one card.
#pragma once

#include "pass/writes.h"

#include "llvm/ADT/ArrayRef.h"

namespace culprit {

class Hooks;

// `writes` are the function's, in the order of its instructions.
void insert_barriers(llvm::Function &function, llvm::ArrayRef<Write> writes, Hooks &hooks);

} // namespace culprit
