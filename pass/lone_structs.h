// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations of one struct that does not end in an array. Blocks of these lie side by side also
// with access sets: what runs out of an array within the struct, or before one, meets a member with
// another name, so nothing has to lie between two blocks to show it. (Not shown any more: a program
// that takes a block of one such struct for an array of them, where the next block has the same
// name.) Lists and trees are made of these, and their walks pay for every byte between.
#pragma once

#include "pass/contexts.h"
#include "pass/record_types.h"

namespace culprit {

// When the sites have their types (block_types.h).
bool is_lone_struct(const ContextCall &call, SiteTable &sites, const RecordTypes &types,
                    const Wrappers &wrappers);

} // namespace culprit
