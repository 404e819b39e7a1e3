// SPDX-License-Identifier: GPL-2.0-or-later
// Names of objects by number, as the run file has them: variables, blocks by the last four call
// sites of their allocation, members of such blocks, and memory behind them. A block's number is
// even and the next one is that of the memory behind it; members have numbers of their own.
//
// Rules: numbers are of one run. What a number means is told when an access first met it. Call
// sites inside the system's libraries do not count: a block that strdup allocates is its caller's.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

struct Variable;

struct NameFacts {
  Variable *variable; // null: blocks as a whole
  UInt member;        // of a variable; kNoMember: all of it
  ULong chain;        // of blocks: numbers of call sites, 16 bits each, newest lowest
  bool system;        // of a system library's own: what that writes there is its own business
  bool told;
  Variable *members = nullptr; // of a block: its members, if its type is known
  bool context_told = false;   // of a block: the call sites
};

UInt new_name();
NameFacts &facts_of(UInt name);
// The name of a block that this thread is allocating right now.
UInt name_of_allocation(ThreadId thread);
// Writes what the number means, once.
void tell_name(UInt name);
UInt names_so_far();
// The block of a member; otherwise the name itself.
UInt block_of(UInt name);

} // namespace culprit::deep
