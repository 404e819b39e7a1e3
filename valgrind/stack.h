// SPDX-License-Identifier: GPL-2.0-or-later
// Return addresses: the slot on the stack has the name of its function from the function's first
// instruction to the return. Only calls write there, and they do it by the stack pointer, which is
// not looked at: any other write is worth telling.
//
// Rules: every return takes the name off, whoever made it (a function of the program may end with a
// jump into the C library). Where frames are left in another way (longjmp, an exception), the stack
// pointer gets a value that is not made of itself or the frame pointer: then all names between the
// old one and the new one go.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

// The stack pointer goes from `from` up to `to` at once.
VG_REGPARM(2) void leave_frames(Addr from, Addr to);
// Memory that was unmapped: a thread's stack may have names on it.
void clear_names(Addr start, SizeT length);
// Does the instruction belong to what unwinds the stack for exceptions? That puts the place where
// control goes on where the return address of an abandoned frame was.
bool is_unwinder(Addr instruction);

} // namespace culprit::deep
