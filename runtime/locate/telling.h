// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an access that faulted tells by itself: its place, and the ids of what its address is made
// of, which its row in the table of accesses (abi/locate.h) says how to find. Read once, when the
// process has crashed.
//
// Rules: what a row names is there at its own instruction alone. At another one behind it, up to
// the next row's, the place is the row's (an access to the same object that nobody expected to
// fault), and of the ids those are taken that can be ids.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

struct AccessRows {
  const char *first;
  const char *end;
};

// The registers of the machine in the order rax rbx rcx rdx rsi rdi rbp rsp r8 … r15.
constexpr size_t kRegisters = 16;
using Registers = uintptr_t[kRegisters];

struct Told {
  uint32_t place;  // 0: there is no row for the instruction
  uintptr_t start; // the row's instruction
  Id leaves[CULPRIT_LEAVES];
  // Where the value was read that the id is of, or what of that the shadow knows (its mask); 0: it
  // is not known.
  uintptr_t places[CULPRIT_LEAVES];
};

Told find_told(AccessRows rows, uintptr_t pc, const Registers &registers);
// The same of the unit's own rows.
Told told_at(uintptr_t pc, const Registers &registers);
// All of the unit's; empty: it has none.
AccessRows unit_rows();

// The row behind this one.
const char *behind(const culprit_access_row &row);

template <typename Visit> void each_row(AccessRows rows, Visit visit) {
  for (const char *at = rows.first; at < rows.end;) {
    const auto *row = reinterpret_cast<const culprit_access_row *>(at);
    visit(*row,
          reinterpret_cast<uintptr_t>(&row->instruction) + static_cast<intptr_t>(row->instruction));
    at = behind(*row);
  }
}

// The one row of this very instruction, so that it need not be looked for again; empty: it has
// none.
AccessRows row_at(uintptr_t pc);

} // namespace culprit::locate
