// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of a granule, whatever its tag. Most tags tell (kinds.h). With kExact, the granule is
// looked up by its address: blocks through the allocator (context and size), everything else in a
// table of the granules that found no tag. So a shortage of tags costs time and nothing else.
#pragma once

#include "runtime/access/kinds.h"

namespace culprit::access {

bool create_exact();

extern bool g_has_exact; // some granule that is no block's is looked up by its address
inline bool has_exact() { return __atomic_load_n(&g_has_exact, __ATOMIC_RELAXED); }

// Of the granule around `address`, whose tag is given.
void names_at(uintptr_t address, Tag tag, Names &out);
inline Name name_of_byte(uintptr_t address) {
  Tag tag = has_tag(address) ? tag_at(address) : kUnwatched;
  if (tag != kExact) [[likely]]
    return name_in_kind(tag, address % kGranule);
  Names names;
  names_at(address, tag, names);
  return names.of[address % kGranule];
}

// Gives a granule that is no block's these names, with a tag if there is one. Under the naming
// lock.
void set_names(uintptr_t granule, const Names &names, bool watched);

uint64_t exact_granules(); // entries of the table, used and free

} // namespace culprit::access
