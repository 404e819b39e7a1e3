// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often a wide block points where: (source, target) → number of words, for blocks above kNarrow
// alone, so that a dirty card costs its own words and not the block's. Targets with kOwner set are
// large blocks as a whole and count the pages of theirs that the source points to. Open addressing,
// linear, deletion by moving back. Only under the point lock.
#pragma once

#include "runtime/monitor/vertexes.h"

namespace culprit::monitor {

constexpr uint32_t kOwner = 1u << 31;

struct WideEdge {
  Ref source; // 0: free
  uint32_t target;
  uint32_t count;
};

extern WideEdge *g_wide_edges;
extern size_t g_wide_size; // entries of the table: a power of two, or 0

// The count afterwards; ~0 if memory is out.
uint32_t add_wide(Ref source, uint32_t target);
uint32_t drop_wide(Ref source, uint32_t target);

} // namespace culprit::monitor
