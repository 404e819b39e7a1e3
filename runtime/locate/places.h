// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which access of the unit an instruction belongs to: the last row of its table of places
// (abi/locate.h) that starts at the instruction or before it. Looked up once, when the process has
// crashed, so the table is read from end to end.
#pragma once

#include "abi/locate.h"

#include <stddef.h>

namespace culprit::locate {

struct Place {
  uint32_t number; // 0: no access's; __culprit_place has it
  uintptr_t start; // from where on the row holds; 0: there is none
};
// The instruction is one of an instrumented unit's functions.
bool is_instrumented(uintptr_t pc);

// Of the fault at `pc` by this signal.
Place place_at(int signal, uintptr_t pc);

struct PlaceRows {
  const culprit_place_row *first;
  size_t count;
};
Place find_place(PlaceRows rows, uintptr_t pc);

} // namespace culprit::locate
