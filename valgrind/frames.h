// SPDX-License-Identifier: GPL-2.0-or-later
// Frames of functions that debug information describes: from the function's first instruction to
// its end, its local variables have their names on the stack, and so have the registers of its
// caller that are kept before the return address.
//
// What a frame looks like is the same at every call, so the words of its granules (memory.h) are
// made once, from the deepest variable to the return address, and copied: by code in the
// translation where they are few. At the end they become 0. A function ends with a return, or with
// a jump to another function; frames that are left otherwise lose their names as return addresses
// do (stack.h).
//
// Rules: only what a function's own code reaches by pointer or index is looked at (instrument.cpp):
// what is stored at a constant distance from the stack pointer, or from the frame pointer where the
// function has one, cannot go astray.
#pragma once

#include "abi/native_names.h"
#include "valgrind/core.h"

namespace culprit::deep {

struct Frame {
  const culprit_names_function *function;
  Addr base;        // address in memory minus address in the file
  Addr entry;       // in memory
  UInt return_name; // of its slot; 0: it has none, and no frame is named
  UInt count;       // of words, the last being that of the return address; 0: none
  UInt *words;
  bool has_frame_pointer() const { return (function->flags & CULPRIT_NAMES_FRAME_POINTER) != 0; }
};

// Of the function that has code at the address; null: nothing is known of it. `low` and `high`:
// code around it that belongs to the same.
Frame *frame_around(Addr instruction, Addr &low, Addr &high);
bool has_code_at(const Frame &frame, Addr instruction);

// `slot`: where the return address is.
VG_REGPARM(2) void name_frame(Addr slot, const Frame *frame);
VG_REGPARM(2) void clear_frame(Addr slot, const Frame *frame);
// A jump to `target` with nothing on the stack but the return address, if that is another function.
VG_REGPARM(3) void jump_out(Addr slot, const Frame *frame, Addr target);
// Such a jump inside a translation, where the stack pointer may still be further down. Either may
// be null, or without words.
VG_REGPARM(3) void exchange_frames(Addr stack, const Frame *left, const Frame *entered);

} // namespace culprit::deep
