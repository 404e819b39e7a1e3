// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type a new block is used as. The first witness that speaks wins: the template argument of the
// containers' allocator; the type that clang notes on a `new` expression; the pointer variables
// that hold the result, by the debug information; the struct types of accesses through the result
// (TBAA); the pointers in memory that it is put into at once (kept_in.h).
//
// A witness speaks for the level of inlining it stands in: in `node *n = xmalloc(…)` with xmalloc
// inlined, `n` tells the type of the call of xmalloc, not of the malloc inside.
#pragma once

#include "pass/contexts.h"
#include "pass/record_types.h"

namespace culprit {

// Fills in the types of the call's sites.
void name_block_types(const ContextCall &call, SiteTable &sites, const RecordTypes &types);

} // namespace culprit
