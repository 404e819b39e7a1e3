// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks get their names when they are allocated: every granule the tag of its phase in the
// layout, a last granule that is not used up a kind of its own, and the slack behind it the name of
// memory behind such blocks. Memory for blocks that never held one has a name, too: an overrun is
// heard of wherever it goes. A block of unseen native code has no names. A block that is freed has
// the name of such blocks until it is somebody's again; who lived at a place before is remembered.
//
// The fast path: most contexts allocate one size only. The first size a context asks for (of at
// most 12 granules) leaves its tags as a pattern, which never changes; a block of that size copies
// it.
#pragma once

#include "runtime/access/families.h"
#include "runtime/access/watches.h"
#include "runtime/heap/object.h"
#include "runtime/monitor/vertexes.h"

namespace culprit::access {

constexpr size_t kPatternTags = 12;
struct alignas(32) Pattern {
  uint64_t key; // pattern_key(), 0: none yet; stored last
  Tag tags[kPatternTags];
};
inline uint64_t pattern_key(size_t size, size_t granules) {
  return static_cast<uint64_t>(size + 1) << 8 | granules;
}

extern Pattern *g_patterns;  // by context
extern uint32_t *g_previous; // by reference: mark of the last block with another mark

bool create_blocks();

// Memory that will be cut into blocks.
void name_fresh(uintptr_t start, size_t size);

// A block of `size` bytes is about to be freed.
extern Tag g_freed_tags[kPatternTags]; // all the same; 0: no name was to be had
void name_freed_slowly(uintptr_t start, size_t size);
CULPRIT_PLAIN_TAGS inline void name_freed(uintptr_t start, size_t size) {
  size_t granules = size / kGranule;
  if (granules > kPatternTags || !__atomic_load_n(&g_freed_tags[0], __ATOMIC_ACQUIRE) ||
      has_watches()) [[unlikely]]
    return name_freed_slowly(start, size);
  copy_few_tags(tags_of(start), g_freed_tags, granules);
}

// The `size` bytes asked for of a block of `block` bytes.
void name_block(uintptr_t start, size_t block, size_t size, uint32_t mark);

// The same, for a tail call.
void *name_and_return(uintptr_t start, size_t block, size_t size, uint32_t mark);

// True: done.
inline bool name_by_pattern(uintptr_t start, size_t block, size_t size, uint32_t mark) {
  const Pattern &pattern = g_patterns[mark & (monitor::kMaxContexts - 1)];
  size_t granules = block / kGranule;
  if (__atomic_load_n(&pattern.key, __ATOMIC_ACQUIRE) != pattern_key(size, granules))
    return false;
  copy_few_tags(tags_of(start), pattern.tags, granules);
  return true;
}

// Before the new mark is stored.
inline void remember_previous(monitor::Ref ref, uint32_t mark) {
  uint32_t old = __atomic_load_n(&monitor::g_marks[ref], __ATOMIC_RELAXED);
  if (old && old != mark) [[unlikely]]
    __atomic_store_n(&g_previous[ref], old, __ATOMIC_RELAXED);
}

// Bytes asked for, as the tags have it.
size_t named_size(const heap::Object &object);
// The same; of a block of unseen code, which has no names, all of it.
size_t usable_size(const heap::Object &object);
// From now on the granule is looked up by its address.
void make_block_exact(uintptr_t granule);
// Of a granule whose tag is kExact.
void names_in_block(uintptr_t granule, Names &out);
// The name this byte had in the last block with another context at this place; 0: none.
Name previous_name(const heap::Object &object, uint64_t offset);
// The same of the last block there: who lived in one that is freed.
Name last_name(const heap::Object &object, uint64_t offset);

// Bytes of blocks, the largest number at one time, about: what the heap took from the kernel.
uint64_t peak_block_bytes();

} // namespace culprit::access
