// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See frames.h.
#include "runtime/explain/frames.h"

#include "runtime/explain/flavour.h"

namespace culprit::explain {

__thread culprit_frame *t_frame;

namespace {
thread_local uint64_t t_roots; // frames of this thread that no frame called
} // namespace

uint64_t index_at(const culprit_frame &frame, uint32_t site) {
  if (!site || site >= g_unit->site_count)
    return frame.index;
  const culprit_explained_site &at = g_unit->sites[site];
  uint64_t index = culprit_index_fold(frame.index, at.id);
  for (uint32_t i = 0; i < at.counters; ++i)
    index = culprit_index_fold(index, counters_of(frame)[g_unit->counters[at.first_counter + i]]);
  return index;
}

uint64_t next_happening(culprit_frame &frame) {
  return culprit_index_fold(index_at(frame, frame.site), frame.happened++);
}

void enter(culprit_frame &frame, const culprit_explained_function &function) {
  frame.caller = t_frame;
  uint64_t from =
      t_frame ? next_happening(*t_frame) : culprit_index_fold(CULPRIT_INDEX_ROOT, t_roots++);
  frame.index = culprit_index_fold(from, function.id);
  frame.function = &function;
  t_frame = &frame;
}

} // namespace culprit::explain
