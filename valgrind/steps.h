// SPDX-License-Identifier: GPL-2.0-or-later
// Call stacks known step by step. How a frame is left depends on its instruction alone: the
// caller's stack begins at a constant distance from the stack pointer or the frame pointer, the
// return address lies before that, and the caller's frame pointer is this one or lies at a constant
// place. So walks make a tree: an instruction, its rule, and below it the callers it was met with.
// An allocation follows it, a word or two of the stack for each frame, however deep in a recursion.
//
// The rule is learned from the core's unwinder: it is given a stack of ours, where every word says
// where it is, twice at different places. A rule of another kind says something else, and then the
// walk is not taken in; walks.h may still know it.
#pragma once

#include "valgrind/walks.h"

namespace culprit::deep {

// The name of what the thread allocates; 0: not known.
UInt name_by_steps(ThreadId thread);
// The first `used` frames of the walk decide about the name; or, unless `is_decided`, that there
// are no more.
void keep_steps(ThreadId thread, const Walk &walk, UInt used, bool is_decided, UInt name);
void forget_steps();

} // namespace culprit::deep
