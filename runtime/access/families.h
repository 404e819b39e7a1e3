// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Families: all bytes that share a line of names: the blocks of one allocation context, or one
// variable (a global, a local in all its lives, a function's return slot). Without members a family
// is one name; otherwise one per member of its layout. Name numbers of a family are neighbours, so
// name = first + member.
//
// Memory of the heap that is no object's has names, too: the slack behind the blocks of a context,
// all that never held an object, and blocks that were freed. Nobody writes there rightly.
//
// A block's family comes from its context: the innermost of its call sites that has a layout. A
// variable's is made when it is first seen (culprit_variable.first keeps it).
#pragma once

#include "abi/run_file.h"
#include "runtime/access/kinds.h"

namespace culprit::access {

// A copy: the unit it came from may be unloaded.
struct Layout {
  uint32_t size;
  uint32_t members;
  uint32_t rest;          // as in abi/access.h
  const uint16_t *member; // by byte
};

struct Family {
  Name first;
  uint32_t members; // names it has: at least 1
  uint32_t kind;    // culprit_name_kind
  uint32_t object;
  uint64_t unit;
  uint32_t layout_number; // position + 1; 0: none
  uint32_t phases;        // of blocks: granules after which the names repeat (or stay)
  const Layout *layout;   // null: one name
  uint64_t first_tag;     // of blocks: its part of the phase tags
  Name outside;           // of blocks: of the slack behind them
  uint64_t address;       // of globals
  uint64_t size;          // of variables
  uint32_t ragged;        // some are no whole number of structs (joining.h)
  uint32_t joined;        // joint rows have bits for it
};

constexpr uint32_t kMaxFamilies = 1u << 23;
// Layouts that need more have no members: none that the pass makes. (A struct of 1028 bytes begins
// at another place of its first granule in each of the 257 that follow.)
constexpr uint32_t kMaxPhases = CULPRIT_LAYOUT_BYTES;
constexpr size_t kMaxNames = size_t{1} << 28;

extern Family *g_families; // by number, from 1

bool create_families();

extern uint32_t *g_context_families; // by context number; 0: not yet made
inline uint32_t known_family(uint32_t context) {
  return __atomic_load_n(&g_context_families[context], __ATOMIC_ACQUIRE);
}

// 0: no more can be had.
uint32_t family_of_context(uint32_t context);
uint32_t family_of_variable(culprit_variable &variable, culprit_name_kind kind);

inline Name name_at(const Family &family, uint64_t offset) {
  const Layout *layout = family.layout;
  if (!layout || !layout->size)
    return family.first;
  if (offset >= layout->size) {
    if (layout->rest)
      return family.first + layout->rest - 1;
    offset %= layout->size;
  }
  return family.first + layout->member[offset];
}

// Of memory that never held an object; 0: no more names can be had.
Name name_of_fresh_memory();
// Of blocks that were freed; the same.
Name name_of_freed_memory();

// 0: no such name.
uint32_t family_of_name(Name name);
uint64_t name_count();
uint64_t family_count();

// Families that were not to be had.
uint64_t families_missing();

} // namespace culprit::access
