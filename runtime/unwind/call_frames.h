// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the unwind tables of loaded objects (.eh_frame by way of .eh_frame_hdr, which stripping
// leaves there) and makes a Rule of what they say of one address. Only what walking needs is
// followed: the CFA, %rbp and whether there is a caller at all. An address without a description is
// taken for code with frame pointers.
//
// Rules: takes no lock and allocates nothing where the C library has _dl_find_object (glibc 2.35);
// else the loader is asked, which takes its lock. Reads only the object's own tables; damaged ones
// give no rule.
#pragma once

#include "runtime/unwind/rule.h"

#include <stddef.h>

namespace culprit::unwind {

// Of the code at `pc` itself: who has a return address asks for the byte before it.
Rule describe(uintptr_t pc);

// Where the tables of an object are; null: there are none.
struct FrameTables {
  const uint8_t *header; // .eh_frame_hdr
  uintptr_t low;         // of the object in memory
  uintptr_t high;
};
// The same of tables at hand, for tests and for describe().
Rule describe_by(const FrameTables &tables, uintptr_t pc);

// Is there an object at this address?
bool find_tables(uintptr_t pc, FrameTables &tables);

} // namespace culprit::unwind
