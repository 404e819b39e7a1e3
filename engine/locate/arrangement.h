// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of a program's variables, each as the file that the runtime reads (abi/layout.h).
//
// First comes an order that is the program's own, with a fence of guard bytes in front of and
// behind every variable: all pairs of a buffer and a guard word at once. Then the pairs of buffer
// and address variable (pairing.h): of globals among globals, of locals within their frame, where
// the return address is one of the address variables; spaces have nothing to do with each other, so
// one order serves them all. Last, global buffers and the address variables of functions of which
// only one activation exists at a time, which move in among the globals. Rules: a buffer ends
// exactly where its partner begins if alignments allow it; where they do not, what lies between is
// a fence, too. Everything else has fences all round in every order.
#pragma once

#include "engine/locate/variables.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::locate {

struct Arrangement {
  std::string name;      // for people: which variable follows which, or what else is not as usual
  std::string rows;      // empty: the program's own order
  uint64_t contents = 0; // of memory that nobody has written: the runtime's option (abi/locate.h)
  bool operator==(const Arrangement &) const = default;
};

Arrangement with_fences(const Variables &variables);

// In the program's own order, with the variables of functions that have returned kept out of use;
// no rows: there are none.
Arrangement with_left_frames(const Variables &variables);

// In the program's own order, with memory that nobody has written holding something else: what the
// patterns there hide (a divisor that is 0, a NULL pointer, what a freed block held) shows itself.
// The last one is as usual, but to read freed memory is a crash.
std::vector<Arrangement> with_other_contents();
// The same with a stack of local variables that is filled with what is no address.
Arrangement with_unwritten_locals();
// Is this the name of one of these?
bool has_other_contents(std::string_view name);
// The one that changes where heap blocks lie, not what is in them.
bool puts_blocks_apart(std::string_view name);
// The one that only the flavour origins can tell: it asks for the id of all that is read.
bool needs_origins(std::string_view name);

// The others, `most` of them at most. `variables`: which are worth a pair, see used_by.
std::vector<Arrangement> with_pairs(const Variables &variables, size_t most);

} // namespace culprit::locate
