// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flavour reorder (abi/layout.h): puts variables where the file of the option `layout` says,
// before any code of the program runs, and looks after the fences beside them.
//
// Fences of global variables are set once and compared at exit; those of a frame are set when it
// begins and compared when it ends, or at exit. What was written by something known to be corrupt
// is put back. The earliest write is told.
#pragma once

#include "abi/layout.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/left_frames.h"

namespace culprit::locate {

// Beside a variable: what lies there belongs to nobody.
struct Fence {
  uint64_t offset; // in the arena, or in the frame
  uint64_t length;
  uint64_t start; // of the variable, in the same way
  uint64_t size;
  uint64_t definition; // stands for its declaration
};

struct LayoutRow {
  char kind; // g, v, l, w, f, k
  uint64_t index;
  uint64_t value;
  Fence fence;
  LeftVariable variable;
};

// The row at `at`, which moves behind it; false at the end, and with `bad` set at what is no row.
bool read_layout_row(const char *text, size_t length, size_t &at, LayoutRow &row, bool &bad);

// Files of the options `layout` and `entered`; empty: none.
void register_layout(const culprit_layout_unit &unit, const char *layout, const char *entered);

// So many bytes from there can be accessed.
bool lies_in_arena(uintptr_t address, size_t size);

void enter_frame(uintptr_t frame, uint64_t function);
void leave_frame(uintptr_t frame, uint64_t function);

// The arena's, and those of frames that did not end.
VariableDamage check_fences_at_exit();

} // namespace culprit::locate
