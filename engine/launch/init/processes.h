// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes of one launch, as /proc shows them: all that is numbered in our own process
// namespace, or, where there is none, our descendants (we are their reaper, so none can slip away).
#pragma once

#include <cstdint>

namespace culprit::launch::init {

// Ends and collects them all. Not needed in a process namespace, which ends with its first process.
void end_descendants();

// Private memory of all of them together, in RAM or swapped out. File mappings and shared memory do
// not count: the run file is one of these, and it is ours.
uint64_t memory_in_use(bool own_namespace);

// The same, with what processes share after fork counted once. Walks page tables: some 10 ms per
// GiB.
uint64_t memory_in_use_exactly(bool own_namespace);

} // namespace culprit::launch::init
