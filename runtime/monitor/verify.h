// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph against a full scan: every word of every live block is read and looked up afresh, with
// tables of its own, and the degrees of every vertex compared. Slow, simple, and independent of how
// the graph is kept.
#pragma once

#include <stdint.h>

namespace culprit::monitor {

// Compares and writes a record. `threads` ran when the graph began to be brought up to date: one
// that has ended by now may have written in between. Under the point lock. Returns the mismatches.
uint64_t verify_graph(uint32_t index, uint32_t threads);

} // namespace culprit::monitor
