// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that repeat one: the same place in the source accesses the same bytes through the same
// pointer again, and on every way that leads here it did so before, with nothing in between that
// may free. So the pair (site, name) was told or known there. What the optimiser made of one
// condition before a loop and in it is such a case.
//
// Copies of one place have one debug location; code without locations has no place that could be
// compared.
#pragma once

#include "pass/accesses.h"
#include "pass/free_reach.h"

#include <vector>

namespace culprit {

// `accesses` are the function's that are checked.
void remove_repeats(llvm::Function &function, std::vector<Access> &accesses,
                    const FreeReach &frees);

} // namespace culprit
