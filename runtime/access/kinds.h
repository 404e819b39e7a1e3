// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of granules: which name each of the 16 bytes has (0: none). Equal contents have one number,
// the tag; so the tag alone tells every name, without a look at the object. Kinds are never
// forgotten: their number is that of the program's names and layouts, not that of its objects. The
// option `tags` bounds it; a content beyond that has tag kExact, and exact.h knows its names.
//
// A *watched* kind (culprit_watch_on) is told apart from the same names unwatched: no row ever gets
// a bit for it.
#pragma once

#include "runtime/access/tags.h"

namespace culprit::access {

using Name = uint32_t; // 0: none
struct Names {
  Name of[kGranule];
};

extern Names *g_kinds;          // by number
extern uint8_t *g_watched_kind; // by number; 0 for kExact

// Tags are multiples of a step; kinds are numbered without.
inline uint32_t number_of(Tag tag) { return tag / CULPRIT_TAG_STEP; }

bool create_kinds();

// The tag of this content; kExact when there are no more. Under the naming lock.
Tag tag_for(const Names &names, bool watched = false);

// Of a tag other than kExact.
inline Name name_in_kind(Tag tag, unsigned byte) {
  return __atomic_load_n(&g_kinds[number_of(tag)].of[byte], __ATOMIC_RELAXED);
}
inline void names_of_kind(Tag tag, Names &out) {
  for (unsigned byte = 0; byte < kGranule; ++byte)
    out.of[byte] = name_in_kind(tag, byte);
}

inline bool is_watched_kind(Tag tag) {
  return __atomic_load_n(&g_watched_kind[number_of(tag)], __ATOMIC_RELAXED);
}

struct KindCounts {
  uint64_t tags;
  uint64_t missing; // times that a content found no tag
};
KindCounts kind_counts();

} // namespace culprit::access
