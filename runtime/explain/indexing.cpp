// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See indexing.h. What is folded, and in which order, is what frames.cpp folds when frames are
// entered.
#include "runtime/explain/indexing.h"

#include "runtime/explain/allocations.h"
#include "runtime/heap/allocate.h"

using culprit::explain::g_indexing;

extern "C" {
__attribute__((visibility("default"))) __thread culprit_index_frame *__culprit_index_frame;
__attribute__((visibility("default"))) __thread culprit_index_frame __culprit_index_root;
}

namespace culprit::explain {

bool g_indexing;

namespace {

const culprit_indexed_site *g_sites;
uint64_t g_site_count;
uint64_t *g_small;
uint64_t *g_large;

const uint64_t *counters_of(const culprit_index_frame &frame) {
  return reinterpret_cast<const uint64_t *>(&frame + 1);
}

// Of the site in the frame, whose own index is known.
uint64_t index_at(const culprit_index_frame &frame, uint32_t site) {
  const culprit_indexed_site &at = g_sites[site];
  uint64_t index = frame.index;
  if (at.via)
    index = culprit_index_fold(culprit_index_fold(index_at(frame, at.via), 0), at.function);
  index = culprit_index_fold(index, at.id);
  const uint64_t *counters = counters_of(frame) + at.first;
  for (uint32_t i = 0; i < at.counters; ++i)
    index = culprit_index_fold(index, counters[i]);
  return index;
}

// The function whose frame it is.
uint64_t function_of(const culprit_index_frame &frame) {
  uint32_t site = frame.site;
  while (g_sites[site].via)
    site = g_sites[site].via;
  return g_sites[site].function;
}

void make_index(culprit_index_frame &frame) {
  culprit_index_frame &caller = *frame.caller;
  uint64_t from =
      caller.caller ? index_at(caller, caller.site) : static_cast<uint64_t>(CULPRIT_INDEX_ROOT);
  frame.index = culprit_index_fold(culprit_index_fold(from, frame.entered), function_of(frame));
}

// Up to the first frame that has one, and down again. A recursion may be deep, so the way down is
// kept in the frames themselves.
void make_indexes(culprit_index_frame &innermost) {
  culprit_index_frame *below = nullptr;
  culprit_index_frame *frame = &innermost;
  while (frame->caller->caller && !frame->caller->index) {
    frame->index = reinterpret_cast<uint64_t>(below);
    below = frame;
    frame = frame->caller;
  }
  for (;;) {
    make_index(*frame);
    if (!below)
      return;
    frame = below;
    below = reinterpret_cast<culprit_index_frame *>(frame->index);
  }
}

uint64_t *row_of(const heap::Object &object) {
  if (!object.start)
    return nullptr;
  return object.size_class == heap::kLargeClass ? &g_large[object.number - heap::kLargeNumbers]
                                                : &g_small[object.number];
}

} // namespace

void begin_indexing(const culprit_index_unit &unit) {
  if (g_indexing || !heap::ensure_arena())
    return; // shared objects have no unit of their own so far
  g_sites = unit.sites;
  g_site_count = unit.site_count;
  uint64_t pages = heap::g_arena.size >> heap::kPageShift;
  uint64_t numbers = pages / 2 * (heap::kSlotsPerPage + heap::kNumberUnit);
  if (!os::map_table(g_small, numbers) || !os::map_table(g_large, pages))
    heap::stop_with("culprit: address-space limit too small for an index flavour\n");
  begin_allocations();
  heap::g_fast_limit = 0; // every block is to be noted
  g_indexing = true;
}

uint64_t next_happening(culprit_index_frame &frame) {
  if (!frame.index) [[unlikely]]
    make_indexes(frame);
  return culprit_index_fold(index_at(frame, frame.site), frame.happened++);
}

void *index_block(void *block, size_t size) {
  uint64_t *row = block ? row_of(heap::find_object(block)) : nullptr;
  if (!row) [[unlikely]]
    return block;
  uint64_t index = 0;
  if (culprit_index_frame *frame = __culprit_index_frame)
    index =
        culprit_index_fold(culprit_index_fold(next_happening(*frame), CULPRIT_INDEX_BLOCK), size);
  *row = index;
  tell_allocation(index, size);
  return block;
}

uint64_t index_of(uintptr_t address) {
  heap::Object object = heap::find_object(reinterpret_cast<void *>(address));
  uint64_t *row = g_indexing && object.live ? row_of(object) : nullptr;
  return row ? *row : 0;
}

} // namespace culprit::explain
