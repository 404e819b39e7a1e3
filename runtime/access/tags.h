// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tag table of abi/access.h: one 16-bit tag per granule of 16 bytes, for the whole lower half
// of the address space, at a fixed place. A tag is the number of a granule kind (kinds.h); tag 0 is
// memory nobody watches.
//
// Who writes. Tags of a block are stored by the thread that allocates it, those of a stack by its
// own thread, those of globals while their unit is registered: always before anybody is told the
// address. So stores are plain; a thread that reads through a stale pointer sees one or the other.
// Those of a freed block are stored by the thread that frees it, before it is anybody else's.
#pragma once

#include "abi/access.h"

#include <emmintrin.h>
#include <stddef.h>

namespace culprit::access {

using Tag = uint16_t;
constexpr Tag kUnwatched = 0;
constexpr Tag kExact = CULPRIT_TAG_EXACT;
constexpr size_t kGranule = CULPRIT_GRANULE;
constexpr uintptr_t kInGranule = kGranule - 1; // the bits of an address that say where in it

inline Tag *tags_of(uintptr_t address) {
  return reinterpret_cast<Tag *>(CULPRIT_TAG_BASE) + (address >> CULPRIT_GRANULE_SHIFT);
}
inline Tag tag_at(uintptr_t address) { return __atomic_load_n(tags_of(address), __ATOMIC_RELAXED); }
inline void set_tag(uintptr_t address, Tag tag) {
  __atomic_store_n(tags_of(address), tag, __ATOMIC_RELAXED);
}

// The address is one the table has a tag for; the target's pointers may be anything.
inline bool has_tag(uintptr_t address) {
  return address >> 47 == 0 && address >= CULPRIT_FIRST_TAGGED;
}

bool create_tags();

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CULPRIT_PLAIN_TAGS __attribute__((no_sanitize("thread")))
#endif
#endif
#ifndef CULPRIT_PLAIN_TAGS
#define CULPRIT_PLAIN_TAGS
#endif

// `count` tags from `from`, 1 to 12 of them: stores that overlap instead of a loop.
CULPRIT_PLAIN_TAGS inline void copy_few_tags(Tag *to, const Tag *from, size_t count) {
  typedef uint64_t Four __attribute__((may_alias, aligned(2))); // NOLINT
  typedef uint32_t Two __attribute__((may_alias, aligned(2)));  // NOLINT
  if (count >= 4) {
    *reinterpret_cast<Four *>(to) = *reinterpret_cast<const Four *>(from);
    if (count > 8)
      *reinterpret_cast<Four *>(to + 4) = *reinterpret_cast<const Four *>(from + 4);
    *reinterpret_cast<Four *>(to + count - 4) = *reinterpret_cast<const Four *>(from + count - 4);
  } else if (count >= 2) {
    *reinterpret_cast<Two *>(to) = *reinterpret_cast<const Two *>(from);
    *reinterpret_cast<Two *>(to + count - 2) = *reinterpret_cast<const Two *>(from + count - 2);
  } else {
    *to = *from;
  }
}

// Any number.
CULPRIT_PLAIN_TAGS inline void copy_tags(Tag *to, const Tag *from, size_t count) {
  for (; count > 12; to += 4, from += 4, count -= 4)
    copy_few_tags(to, from, 4);
  if (count)
    copy_few_tags(to, from, count);
}

CULPRIT_PLAIN_TAGS inline void fill_tags(Tag *to, size_t count, Tag tag) {
  for (size_t i = 0; i < count; ++i)
    to[i] = tag;
}

// The first of [from, to) that is not `tag`, or `to`. Eight at a time: behind `to` there are more
// tags, since no program has memory at the end of what the table is for.
CULPRIT_PLAIN_TAGS inline const Tag *first_other(const Tag *from, const Tag *to, Tag tag) {
  const __m128i wanted = _mm_set1_epi16(static_cast<short>(tag));
  for (; from < to; from += 8) {
    const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i_u *>(from));
    const auto others =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi16(eight, wanted))) ^ 0xffffu;
    if (others) {
      const Tag *found = from + __builtin_ctz(others) / 2;
      return found < to ? found : to;
    }
  }
  return to;
}

// Are `count` of them from `from` on all `tag`? What is guessed of the number of rounds is seen to
// be right or wrong before any of the tags has come from memory. There are more tags behind them,
// as above.
CULPRIT_PLAIN_TAGS inline bool is_filled(const Tag *from, size_t count, Tag tag) {
  const __m128i wanted = _mm_set1_epi16(static_cast<short>(tag));
  const auto equal_at = [&](const Tag *at) {
    return _mm_cmpeq_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i_u *>(at)), wanted);
  };
  __m128i equal = _mm_set1_epi16(-1);
#pragma clang loop unroll(disable)
  for (; count >= 8; from += 8, count -= 8)
    equal = _mm_and_si128(equal, equal_at(from));
  const auto rest = static_cast<unsigned>(_mm_movemask_epi8(equal_at(from))) | ~0u << 2 * count;
  return (static_cast<unsigned>(_mm_movemask_epi8(equal)) & rest) == 0xffff;
}

} // namespace culprit::access
