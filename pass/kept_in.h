// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pointer points to, by the place in memory where it is kept: a global variable or a member
// of a struct, whose declared type is in the debug information. In `d->counts = calloc(1, …)` and
// `table = realloc(table, …)` no local variable ever holds the block.
#pragma once

#include "pass/record_types.h"

#include "llvm/IR/Instructions.h"

namespace culprit {

// Null: not known.
const llvm::DIType *pointee_kept_in(const llvm::StoreInst &store, const RecordTypes &types);

} // namespace culprit
