// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each row met each name, in counting flavours. Instrumented code adds one to a word per
// (row, tag) at every access. Where all accesses of the row to granules of this tag meet the same
// names, that word is the answer. Otherwise the names of the first access own the word: positions
// with other names get no bit in the row, come to check.h each time and are counted here, and taken
// from the word at the end. (A tail row counts only accesses that do lie across two granules.) So
// counts are exact, and dear only where a row writes different members within one granule. A range
// counts once per name and call.
#pragma once

#include "abi/run_file.h"
#include "runtime/access/rows.h"
#include "runtime/access/state.h"

namespace culprit::access {

bool create_counts();
inline bool is_counting() { return monitor::g_features & CULPRIT_FEATURE_COUNTS; }

// An access at `byte` of a granule with this tag and these names. Which starts may have a bit in
// the row: those whose names own the word.
Starts count_access(uint32_t row, const Row &info, Tag tag, unsigned byte, const Names &names);
void count_name(uint32_t row, Name name); // by one, of a range

// What was counted since the last time.
void take_counts(void (*visit)(void *, const culprit_count_row &), void *argument);
void append_counts();
void clear_counts();
uint64_t count_entries(); // of the tables behind: kinds that rows met, and names

} // namespace culprit::access
