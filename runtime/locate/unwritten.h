// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flavour origins (abi/locate.h): memory that nobody has written since it was allocated, freed or
// declared is marked in its ids.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

extern Id g_unwritten; // the mark, or 0 in all other flavours

// The id of an allocation, for the block's cells.
inline Id unwritten(Id id) { return id ? id | g_unwritten : 0; }
// Of a free by code that nobody sees, in every flavour: the place of the program that has called
// it. 0: none has.
Id freed_by_unseen();
// The id of a free, for the block's cells.
inline Id unwritten_since_free(Id id) {
  return g_unwritten || !(id & CULPRIT_ID_BY_PLACE) ? unwritten(id) : 0;
}

// `id`, of these bytes, which says that nobody has written them; without the mark if somebody has
// whom nobody saw (strdup, code of a library that was inlined): blocks were filled, with what is no
// longer there. Variables were not; of these nothing is known but by hand_out().
Id unless_written(Id id, uintptr_t address, size_t size);

// The option `contents`: the target is about to read this. Does not return if it was freed.
void expect_not_freed(uintptr_t address);

// Code that nobody sees was given the address of an object of this size: its cells lose the mark,
// but not what lies beside it in the same variable. Size 0: how much it writes there is not known,
// so all cells around it do that are marked by the same definition.
void hand_out(uintptr_t address, size_t size);

} // namespace culprit::locate
