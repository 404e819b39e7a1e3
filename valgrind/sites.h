// SPDX-License-Identifier: GPL-2.0-or-later
// Access sites: an instruction that writes (or reads), or a call into the system's libraries, which
// write on behalf of their caller; and the pairs they make with names.
//
// A site remembers some names it met, and the code before each access compares (instrument.cpp):
// where it is one of them, nothing is to be done, or in training a count goes up. Otherwise
// touch() is called, which decides byte by byte. With --shortcuts=no it always is, and the results
// are the same.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

struct Pair {
  ULong count;
  UInt row;
  UInt name;
};

// A name the site has met and told of; where two want one slot, the later one has it.
struct Slot {
  UInt name;
  UInt padding;
  ULong count; // accesses since `pair` was brought up to date
  Addr caller; // of system code: the call on whose behalf that was
  Pair *pair;  // null: nothing is kept of such accesses
};
constexpr UInt kSlots = 32;
constexpr UInt kSlotShift = 5;
static_assert(sizeof(Slot) == 1u << kSlotShift);
// Numbers of blocks are even.
constexpr UInt slot_of(UInt name) { return name / 2 % kSlots; }

struct Site {
  Slot slots[kSlots]; // read and written by the code before the access
  Addr address;       // of the instruction, or where the call returns to
  Addr inside;        // of a call: the library's instruction met first
  UInt row;           // number in the run file + 1; 0: has not met anybody
  UShort size;        // of the access
  bool read;
  bool direct; // a place that is fixed in the code: no pointer, no index
  bool is_call;
  bool system; // the instruction is a system library's
};

struct Options {
  bool reads = false;
  bool counts = false;
  bool shortcuts = true;
  UInt depth = 16;
};
extern Options g_options;

// The site of an instruction; the same for the same place, size and direction.
Site *site_of(Addr instruction, UInt size, bool read, bool direct);
// Code here is unmapped: what comes to lie here is other code.
void forget_sites(Addr start, SizeT length);

// An access of the site.
void touch(Site *site, Addr address, SizeT size);
// What the kernel wrote for the thread.
void touch_by_kernel(ThreadId thread, Addr address, SizeT size);

// Counts, and how much was watched.
void tell_end();

} // namespace culprit::deep
