// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is this an explain flavour (abi/explain.h)? Its unit says so when it registers, before any code
// of the target's: what the loader and libc allocated until then is their own.
#pragma once

#include "abi/explain.h"
#include "runtime/explain/indexing.h"

#include <stddef.h>
#include <stdint.h>

namespace culprit::explain {

extern bool g_on;
extern const culprit_explain_unit *g_unit;

// Everything is made for this unit.
void begin(const culprit_explain_unit &unit);
// The program's arguments, as the kernel has put them.
void set_arguments(int count, char **arguments);

// As much as the block is to have that is allocated next (rooms.h).
size_t room_for_next(size_t size);

// How many bytes to allocate for a block: one more, so that no other begins where this one ends. A
// pointer to its end is then known to be that.
inline size_t with_end(size_t size) { return g_on ? room_for_next(size) + 1 : size; }

// A block was handed out: gives it its index, and zeros it, since what an earlier block has left
// there would be a difference between runs that means nothing. Null is handed through.
void *note_block(void *block, size_t size, bool zeroed);
inline void *noted(void *block, size_t size, bool zeroed = false) {
  return g_on ? note_block(block, size, zeroed) : indexed(block, size);
}
// The same for a block that was resized from `before`, where it keeps its bytes.
size_t noted_size(const void *block);
void *note_resized(void *block, size_t size, size_t before);

// An object of the program's own allocator, which is zeroed as a block is.
void note_pooled(const void *pool, void *address, size_t size);

// The block is the program's, though library code has allocated it: a string's letters, a line that
// was read. Null is handed through.
void *own_block(void *block);
inline void *owned(void *block) { return g_on ? own_block(block) : block; }

// At exit: the trace is cut to its length.
void finish();

} // namespace culprit::explain
