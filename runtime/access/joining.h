// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joint rows (abi/access.h): whether what one access meets says what others meet, each so many
// bytes from it.
//
// It does where all of them lie in one granule, whatever that is: its kind has the names.
//
// It does, too, where the granule's kind has a name of a family with a layout, and there is but one
// place in the layout that has the kind's names around it: that is the offset in the struct, the
// others' follow, and so do their names. Blocks and variables are named as a whole, so this holds
// for every granule of the kind, at any time. Not of a family that has blocks with a part of the
// struct only (ragged): behind what is there lies something else.
#pragma once

#include "runtime/access/families.h"

namespace culprit::access {

// All accesses of the set were checked, each by itself. `address`: the first one's; `first_row`: of
// the unit.
void join(uintptr_t address, const culprit_joined_set &set, uint32_t first_row);

// A block or variable that is no whole number of structs: what was joined for its family is
// forgotten.
void make_ragged(Family &family);

// To be called for every block that gets its names, and variables of another size each time.
inline void see_if_ragged(Family &family, size_t size) {
  const Layout *layout = family.layout;
  if (layout && layout->size && !layout->rest && size % layout->size &&
      !__atomic_load_n(&family.ragged, __ATOMIC_RELAXED)) [[unlikely]]
    make_ragged(family);
}

} // namespace culprit::access
