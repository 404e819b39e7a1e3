// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables get their names where they lie: globals when their unit is registered, others in
// locals.h. Variables are not aligned to granules: a granule that several of them share has a kind
// of its own, so every byte keeps its name.
//
// What a granule's tag becomes when a variable is put on or taken off is kept in a table of 64-bit
// words, each key and answer in one, so that nothing is locked; a full granule's tag depends on the
// variable alone, that of a shared one also on what was there.
#pragma once

#include "runtime/access/families.h"

namespace culprit::access {

bool create_variables();

void name_global(culprit_variable &variable);
// What lies behind a global, up to the first byte of another one. Those of the unit must be named.
void name_gap(culprit_variable &gap);
// The names of a family from here on. `fixed`: the size is the variable's own.
void name_variable(uintptr_t address, uint64_t size, uint32_t family, bool fixed);

// Takes all names from a range that is no block's.
void remove_names(uintptr_t address, uint64_t size);

// No granule but a block's is watched or looked up by its address: tags can be overwritten without
// a look.
bool tags_are_free();

// Bytes of globals named so far.
uint64_t global_bytes();

} // namespace culprit::access
