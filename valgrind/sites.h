// SPDX-License-Identifier: GPL-2.0-or-later
// Access sites: an instruction that writes (or reads), or a call into the system's libraries, which
// write on behalf of their caller; and the pairs they make with names.
//
// A site remembers some words of granules (memory.h) where all that an access can meet has been
// told, and the code before each access compares (instrument.cpp): where it is one of them, nothing
// is to be done, or in training a count goes up. Otherwise touch() is called, which decides byte by
// byte. With --shortcuts=no it always is, and the results are the same.
#pragma once

#include "valgrind/core.h"
#include "valgrind/memory.h"

namespace culprit::deep {

struct Pair {
  ULong count;
  UInt row;
  UInt name;
};

// A word that the site remembers; where two want one slot, the later one has it. Where that happens
// often, or accesses often lie across granules, the site gets a table that is larger or made for
// that, and its code is translated again. Slot 0 has the
// word 0, nobody's memory, for good.
//
// The key is the word, and in the lowest bits one for each of the 8 bytes of a granule: an access
// that starts there does not lie in the one name that is meant. Between them is room, so that the
// key can be shifted down by the byte an access starts at: then all but the bits kOtherStarts are 0
// where the access is known.
struct Slot {
  ULong key;
  ULong count; // accesses since the pair was brought up to date
};
constexpr UInt kKeyShift = 16;
constexpr ULong kOtherStarts = 0xfe;
// What an access that meets several names counts for, where it is known by heart.
constexpr UInt kMostTogether = 8;
struct Together {
  UInt count;
  Pair *pairs[kMostTogether];
};
struct Site;
struct Slots {
  Site *site;
  UInt bits;     // of a word: kSlotBits and as many above as the table is larger
  UInt clashes;  // a slot was taken from another word
  UInt across;   // accesses of one name that lay across granules
  bool is_wide;  // the code also looks at the granule of the last byte, so these are known, too
  Slot *slots;   // read and written by the code before the access
  ULong *lasts;  // where is_wide: the word of the last byte; of accesses of 16 bytes in the upper
                 // half, and in the lower one that of the granule behind the first
  Addr *callers; // of system code: the call on whose behalf that was
  Pair **pairs;  // null: nothing is kept of such accesses, or several
  Together **together;
  UInt slot_of(UInt word) const { return (word & bits) >> 1; }
  UInt count() const { return (bits >> 1) + 1; }
};
// (word & bits) << this is where its slot is, and << kPlaceShift what the other tables have.
constexpr UInt kSlotShift = 3;
constexpr UInt kPlaceShift = 2;
static_assert(sizeof(Slot) == 2u << kSlotShift && sizeof(Addr) == 2u << kPlaceShift);

struct Site {
  Slots *slots;
  Addr address; // of the instruction, or where the call returns to
  Addr inside;  // of a call: the library's instruction met first
  UInt row;     // number in the run file + 1; 0: has not met anybody
  UShort size;  // of the access
  bool read;
  bool direct; // a place that is fixed in the code: no pointer, no index
  bool is_call;
  bool system; // the instruction is a system library's
};

struct Options {
  bool reads = false;
  bool counts = false;
  bool shortcuts = true;
  bool returns = true;
  bool faults = false; // the program handles its own
  UInt depth = 16;
};
extern Options g_options;

// The site of an instruction; the same for the same place, size and direction.
Site *site_of(Addr instruction, UInt size, bool read, bool direct);
// Code here is unmapped: what comes to lie here is other code.
void forget_sites(Addr start, SizeT length);

// Sites that need another table get it; where no translated code runs (core.h).
void renew_tables();

// Accesses that the code before them looks at first have one of these sizes.
constexpr bool is_looked_at(UInt size) {
  return size == 1 || size == 2 || size == 4 || size == 8 || size == 16 || size == 32;
}

// An access of the site.
void touch(Site *site, Addr address, SizeT size);
// The same, behind such a look; that has counted the access, where counts are kept.
void touch_after_look(Slots *slots, Addr address);
// What the kernel wrote for the thread.
void touch_by_kernel(ThreadId thread, Addr address, SizeT size);

// Counts, and how much was watched.
void tell_end();

} // namespace culprit::deep
