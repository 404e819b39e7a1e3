// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames of this thread and the structural index of where they stand.
#pragma once

#include "abi/explain.h"

namespace culprit::explain {

// The innermost frame; null: none of ours is active.
extern __thread culprit_frame *t_frame;

inline const uint64_t *counters_of(const culprit_frame &frame) {
  return reinterpret_cast<const uint64_t *>(&frame + 1);
}

// The index of a site of the frame, by what the counters are now.
uint64_t index_at(const culprit_frame &frame, uint32_t site);

// The index of what happens next at the site where the frame stands; counts it.
uint64_t next_happening(culprit_frame &frame);

void enter(culprit_frame &frame, const culprit_explained_function &function);

} // namespace culprit::explain
