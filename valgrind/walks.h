// SPDX-License-Identifier: GPL-2.0-or-later
// Allocations whose call stack was walked before. Walking it takes longer than allocating. A walk
// is a function of where the program is, of its stack pointer, and of what it reads on the way: the
// return addresses, and where a frame is found by its frame pointer, the saved ones. So these words
// are kept with the name that came of it, and as long as all of them are the same, so is the walk.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

// What a walk gave, innermost frame first.
struct Walk {
  static constexpr UInt kMost = 16;
  UInt depth;
  Addr instructions[kMost];
  Addr stacks[kMost];
  Addr frames[kMost]; // frame pointers
};

// The name of what the thread allocates; 0: the stack must be walked.
UInt known_name(ThreadId thread);
// The walk looked at its first `used` frames for that. `is_decided`: it did not matter that there
// are no more.
void keep_walk(ThreadId thread, const Walk &walk, UInt used, bool is_decided, UInt name);
// Code or a stack is gone, or new.
void forget_walks();

} // namespace culprit::deep
