// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data stacks (abi/locate.h): the first thread's as long as the machine's may be, at an address
// that is the same in every execution, with room above its first frame that an overflow can run
// into before it faults, and far more below it that nothing is mapped in than a frame is long.
// Other threads have theirs in slots above it, at equal distances. At a slot's low end is the stack
// that this thread's signal handlers run on.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::locate {

bool create_data_stack();
// The first half MiB of it holds this: a variable that nobody writes begins with it, as long as
// no other has lain there.
void fill_data_stack(unsigned char pattern);

// So many threads at a time, the first one not counted.
constexpr size_t kDataStackSlots = 3000;

struct DataStackSlot {
  char *top; // __culprit_data_stack to begin with; null: there is no memory
  char *signal_stack;
  size_t signal_stack_bytes;
};
// Slots are used again and again, with what is in them. Length 0: as the first thread's.
DataStackSlot data_stack_slot(size_t slot, size_t length);

// An access there means that a stack is full.
bool is_below_data_stack(uintptr_t address);

} // namespace culprit::locate
