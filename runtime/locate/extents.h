// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where objects end: heap blocks by their table, global variables by a sorted list of the unit's.
// What is written behind that end by one call (a copy that is too long) is not what was meant to be
// written there, and gets the id of the call and not of what was copied.
//
// Rules: nothing is known of the variables of functions; the pass tells about those it knows.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

// Once, of the main unit.
void learn_globals(const culprit_locate_unit &unit);

constexpr size_t kNoExtent = ~size_t{0};
// Bytes from here to the end of the object around it; kNoExtent: no object is known there.
size_t room_at(uintptr_t address);

} // namespace culprit::locate
