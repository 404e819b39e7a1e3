// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See blocks.h.
#include "runtime/access/blocks.h"

#include "runtime/access/joining.h"
#include "runtime/access/naming_lock.h"
#include "runtime/os/memory.h"

namespace culprit::access {

Pattern *g_patterns;
uint32_t *g_previous;
Tag g_freed_tags[kPatternTags];

namespace {

using monitor::kMaxContexts;
using monitor::Ref;

constexpr uint64_t kMaxPhaseTags = uint64_t{1} << 32;
Tag *g_phase_tags; // of each family: phase * 16 + bytes used in the granule (0: all)
uint64_t *g_sizes; // by reference: bytes asked for; of blocks with kExact only

uint32_t context_of(uint32_t mark) { return mark & (kMaxContexts - 1); }

size_t phase_of(const Family &family, size_t granule) {
  if (family.phases == 1)
    return 0;
  if (family.layout->rest)
    return granule < family.phases ? granule : family.phases - 1;
  return granule % family.phases;
}

// The names of a granule's first `used` bytes.
void write_names(const Family &family, size_t granule, size_t used, Names &out) {
  for (size_t byte = 0; byte < kGranule; ++byte)
    out.of[byte] = byte < used ? name_at(family, granule * kGranule + byte) : family.outside;
}

// Where the tag of a whole granule behind the block is kept.
uint64_t outside_place(const Family &family) { return uint64_t{family.phases} * kGranule; }

[[gnu::noinline]] Tag make_phase_tag(const Family &family, size_t phase, size_t cut, Tag &entry) {
  Names names;
  write_names(family, phase, cut ? cut : kGranule, names);
  Naming naming;
  Tag tag = __atomic_load_n(&entry, __ATOMIC_RELAXED);
  if (!tag) {
    tag = tag_for(names);
    __atomic_store_n(&entry, tag, __ATOMIC_RELEASE);
  }
  return tag;
}

[[gnu::noinline]] Tag make_outside_tag(Name name, Tag &entry) {
  Names names;
  for (Name &each : names.of)
    each = name;
  Naming naming;
  Tag tag = tag_for(names);
  __atomic_store_n(&entry, tag, __ATOMIC_RELEASE);
  return tag;
}

Tag outside_tag(const Family &family) {
  Tag &entry = g_phase_tags[family.first_tag + outside_place(family)];
  Tag tag = __atomic_load_n(&entry, __ATOMIC_RELAXED);
  return tag || !family.outside ? tag : make_outside_tag(family.outside, entry);
}

Tag phase_tag(const Family &family, size_t phase, size_t cut) {
  Tag &entry = g_phase_tags[family.first_tag + phase * kGranule + cut];
  Tag tag = __atomic_load_n(&entry, __ATOMIC_RELAXED);
  return tag ? tag : make_phase_tag(family, phase, cut, entry);
}

// True: some of them are kExact.
CULPRIT_PLAIN_TAGS bool write_full(const Family &family, Tag *tags, size_t count) {
  if (family.phases == 1) {
    Tag tag = count ? phase_tag(family, 0, 0) : kUnwatched;
    fill_tags(tags, count, tag);
    return tag == kExact;
  }
  size_t first = count < family.phases ? count : family.phases;
  bool exact = false;
  for (size_t i = 0; i < first; ++i) {
    tags[i] = phase_tag(family, i, 0);
    exact |= tags[i] == kExact;
  }
  if (count == first)
    return exact;
  if (family.layout->rest)
    fill_tags(tags + first, count - first, tags[first - 1]);
  else
    for (size_t i = first; i < count; ++i)
      tags[i] = tags[i - first];
  return exact;
}

void keep_pattern(const Tag *tags, size_t granules, size_t size, uint32_t context) {
  Pattern &pattern = g_patterns[context];
  if (granules > kPatternTags || __atomic_load_n(&pattern.key, __ATOMIC_RELAXED))
    return;
  for (size_t i = 0; i < granules; ++i)
    if (__atomic_load_n(&tags[i], __ATOMIC_RELAXED) == kExact)
      return; // its size is to be stored each time
  Naming naming;
  if (pattern.key)
    return;
  for (size_t i = 0; i < granules; ++i)
    pattern.tags[i] = __atomic_load_n(&tags[i], __ATOMIC_RELAXED);
  __atomic_store_n(&pattern.key, pattern_key(size, granules), __ATOMIC_RELEASE);
}

} // namespace

bool create_blocks() {
  return os::map_table(g_patterns, kMaxContexts) && os::map_table(g_previous, monitor::kRefs) &&
         os::map_table(g_phase_tags, kMaxPhaseTags) && os::map_table(g_sizes, monitor::kRefs);
}

// With no tag left it stays unnamed: nobody would know it by its address.
CULPRIT_PLAIN_TAGS void name_fresh(uintptr_t start, size_t size) {
  static Tag fresh;
  Tag tag = __atomic_load_n(&fresh, __ATOMIC_RELAXED);
  if (!tag)
    tag = make_outside_tag(name_of_fresh_memory(), fresh);
  if (tag != kExact)
    fill_tags(tags_of(start), size / kGranule, tag);
}

// With no tag left the block keeps its names.
CULPRIT_PLAIN_TAGS void name_freed_slowly(uintptr_t start, size_t size) {
  Tag tag = __atomic_load_n(&g_freed_tags[0], __ATOMIC_ACQUIRE);
  if (!tag) {
    Tag made = kUnwatched;
    tag = make_outside_tag(name_of_freed_memory(), made);
    if (tag == kExact)
      return;
    for (size_t i = kPatternTags; i-- > 0;) // the first says that all are there
      __atomic_store_n(&g_freed_tags[i], tag, __ATOMIC_RELEASE);
  }
  fill_tags(tags_of(start), size / kGranule, tag);
  if (has_watches()) [[unlikely]]
    watch_again(start, size);
}

CULPRIT_PLAIN_TAGS void name_block(uintptr_t start, size_t block, size_t size, uint32_t mark) {
  Tag *tags = tags_of(start);
  size_t granules = block / kGranule;
  uint32_t number = family_of_context(context_of(mark));
  if (!number) {
    fill_tags(tags, granules, kUnwatched);
    if (has_watches()) [[unlikely]]
      watch_again(start, block);
    return;
  }
  Family &family = g_families[number];
  see_if_ragged(family, size);
  size_t full = size / kGranule;
  size_t cut = size % kGranule;
  bool exact = write_full(family, tags, full);
  if (cut) {
    tags[full] = phase_tag(family, phase_of(family, full), cut);
    exact |= tags[full] == kExact;
    ++full;
  }
  if (full < granules) {
    Tag behind = outside_tag(family);
    fill_tags(tags + full, granules - full, behind);
    exact |= behind == kExact;
  }
  if (exact) {
    heap::Object object = heap::find_object(reinterpret_cast<const void *>(start));
    if (Ref ref = monitor::ref_of(object))
      __atomic_store_n(&g_sizes[ref], size, __ATOMIC_RELAXED);
  } else {
    keep_pattern(tags, granules, size, context_of(mark));
  }
  if (has_watches()) [[unlikely]]
    watch_again(start, block);
}

// Most blocks that are not of their context's first size are texts and arrays: one name, a few
// granules.
CULPRIT_PLAIN_TAGS void *name_and_return(uintptr_t start, size_t block, size_t size,
                                         uint32_t mark) {
  constexpr size_t kFew = 64; // granules
  auto *result = reinterpret_cast<void *>(start);
  size_t granules = block / kGranule;
  uint32_t number = known_family(context_of(mark));
  if (number && !has_watches() && granules <= kFew && g_families[number].phases == 1 &&
      !(size % kGranule && g_families[number].layout)) { // that may be ragged
    const Tag *known = &g_phase_tags[g_families[number].first_tag];
    Tag whole = __atomic_load_n(&known[0], __ATOMIC_RELAXED);
    size_t cut = size % kGranule;
    Tag last = cut ? __atomic_load_n(&known[cut], __ATOMIC_RELAXED) : kUnwatched;
    Tag behind = __atomic_load_n(&known[kGranule], __ATOMIC_RELAXED);
    if (!cut)
      last = behind;
    // None of them missing, none kExact.
    if (whole && behind && last && whole != kExact && behind != kExact && last != kExact)
        [[likely]] {
      Tag *tags = tags_of(start);
      size_t full = size / kGranule;
#pragma clang loop vectorize(disable) unroll(disable)
      for (size_t i = 0; i < full; ++i)
        tags[i] = whole;
#pragma clang loop vectorize(disable) unroll(disable)
      for (size_t i = full; i < granules; ++i, last = behind)
        tags[i] = last;
      return result;
    }
  }
  name_block(start, block, size, mark);
  return result;
}

size_t named_size(const heap::Object &object) {
  const Tag *tags = tags_of(object.start);
  Tag behind = kUnwatched; // a kind without a byte of an object
  for (size_t granule = object.size / kGranule; granule > 0; --granule) {
    Tag tag = __atomic_load_n(&tags[granule - 1], __ATOMIC_RELAXED);
    if (tag == kExact) {
      Ref ref = monitor::ref_of(object);
      return ref ? __atomic_load_n(&g_sizes[ref], __ATOMIC_RELAXED) : 0;
    }
    if (tag == behind)
      continue;
    for (unsigned used = kGranule; used > 0; --used) {
      Name name = name_in_kind(tag, used - 1);
      if (name && g_families[family_of_name(name)].kind == CULPRIT_NAME_HEAP)
        return (granule - 1) * kGranule + used;
    }
    behind = tag;
  }
  return 0;
}

size_t usable_size(const heap::Object &object) {
  return tag_at(object.start) == kUnwatched ? object.size : named_size(object);
}

void make_block_exact(uintptr_t granule) {
  heap::Object object = heap::find_object(reinterpret_cast<const void *>(granule));
  Ref ref = object.start ? monitor::ref_of(object) : 0;
  if (!ref)
    return;
  __atomic_store_n(&g_sizes[ref], named_size(object), __ATOMIC_RELAXED);
  set_tag(granule, kExact);
}

void names_in_block(uintptr_t granule, Names &out) {
  out = {};
  heap::Object object = heap::find_object(reinterpret_cast<const void *>(granule));
  Ref ref = object.start ? monitor::ref_of(object) : 0;
  if (!ref)
    return;
  uint32_t mark = __atomic_load_n(&monitor::g_marks[ref], __ATOMIC_RELAXED);
  uint32_t number = family_of_context(context_of(mark));
  size_t size = __atomic_load_n(&g_sizes[ref], __ATOMIC_RELAXED);
  size_t offset = granule - object.start;
  if (!number)
    return;
  size_t left = size > offset ? size - offset : 0;
  size_t used = left < kGranule ? left : kGranule;
  write_names(g_families[number], offset / kGranule, used, out);
}

namespace {

Name name_by_mark(const uint32_t *marks, const heap::Object &object, uint64_t offset) {
  Ref ref = object.start ? monitor::ref_of(object) : 0;
  if (!ref)
    return 0;
  uint32_t mark = __atomic_load_n(&marks[ref], __ATOMIC_RELAXED);
  uint32_t number = family_of_context(context_of(mark));
  return number ? name_at(g_families[number], offset) : 0;
}

} // namespace

Name previous_name(const heap::Object &object, uint64_t offset) {
  return name_by_mark(g_previous, object, offset);
}

Name last_name(const heap::Object &object, uint64_t offset) {
  return name_by_mark(monitor::g_marks, object, offset);
}

uint64_t peak_block_bytes() {
  return heap::arena_bytes().small_usable + heap::large_statistics().peak_bytes;
}

} // namespace culprit::access
