// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of functions that have returned, kept out of use for a while: the quarantine of frames,
// in an order of variables of its own (abi/layout.h, rows `k`).
//
// Each activation of a function has its variables in a block of the arena. When it returns they are
// filled with what is no address, and get the id of their declaration with the time of the return:
// so a value read there leads to the variable that left its scope, and a write there is found when
// the block is used again, or at exit.
#pragma once

#include "abi/layout.h"
#include "runtime/locate/guards.h"

namespace culprit::locate {

struct LeftVariable {
  uint64_t entry; // of the table
  uint64_t offset;
  uint64_t size;
  uint64_t definition; // stands for its declaration
};

// Before the first row. False: no memory.
bool make_left_frames(const culprit_layout_unit &unit, uintptr_t region, size_t size);
bool keep_variable(uint64_t function, const LeftVariable &variable); // false: no such row

// So many bytes from there can be accessed.
bool lies_in_left_frames(uintptr_t address, size_t size);

// The block of an activation that begins, to which the table points now; 0: the function has none.
uintptr_t begin_activation(uint64_t function);
void end_activation(uint64_t function, uintptr_t block);

// Of those that have ended.
VariableDamage check_left_frames();

} // namespace culprit::locate
