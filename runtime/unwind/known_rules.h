// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules of return addresses met so far: reading an unwind table takes a microsecond, looking up
// what was read before some nanoseconds. A program allocates from some thousand places.
//
// Lookup takes no lock: a place in the table is claimed by its address, and its rule, one word, is
// there or not yet there; who finds it not yet there (a signal handler, say) reads the table
// itself. When an object is unloaded, another one may come to lie at its addresses: its places are
// given up.
#pragma once

#include "runtime/unwind/rule.h"

#include <stddef.h>

namespace culprit::unwind {

bool create_known_rules();

// Of a return address. `place` is where it is kept; null: nowhere, the table is full or it is just
// being made.
Rule find_rule(uintptr_t return_address, uint64_t *&place);

// Gives a kept rule its number, unless somebody else was first; the number it has now.
uint16_t number_rule(uint64_t &place, uint16_t number);

// Objects may have been unloaded.
void forget_gone_rules();

// For visitors: the table.
struct KnownRule {
  uintptr_t address; // 0: nobody's, 1: given up
  uint64_t rule;
};
constexpr uintptr_t kGone = 1;
struct KnownRules {
  const KnownRule *at;
  size_t count;
};
KnownRules known_rules();

} // namespace culprit::unwind
