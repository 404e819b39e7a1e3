/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The flavour `reorder`: `suppress` with the places of variables chosen at start-up, so that
 * another order of them costs an execution and nothing else.
 *
 * Every place is looked up in one table of the unit: first the address of each global variable that
 * can move, then for each function with a frame on the data stack (abi/locate.h) the frame's size,
 * the sentinel's offset in it and the offset of each variable. An offset of
 * CULPRIT_LAYOUT_ABSOLUTE or more is an address: a local that lives in the arena, as a global. The
 * table begins as the other locate flavours lay things out.
 *
 * The file of the option `layout` changes it, one row a line, numbers in decimal:
 *   g GLOBAL OFFSET                       this global variable lies in the arena at OFFSET
 *   v ENTRY VALUE                         this entry of the table is VALUE
 *   l ENTRY OFFSET                        this local variable lies in the arena at OFFSET
 *   w OFFSET LENGTH START SIZE DEFINITION a fence in the arena, beside the variable at START
 *   f FUNCTION OFFSET LENGTH START SIZE DEFINITION
 *                                         a fence in each frame of a function, offsets in the frame
 *   k FUNCTION ENTRY OFFSET SIZE DEFINITION
 *                                         the variable of this entry lies at OFFSET in a block in
 *                                         the arena that each activation of the function has for
 *                                         itself, and that is kept out of use when it has returned
 * A variable that has left its scope so has the id of its declaration with the time of the return.
 * One that was written after that is a crash of kind freed write (abi/locate.h) with `freed` being
 * that id, and `block` and `allocated` as below.
 * A *fence* is bytes of a pattern that belong to no variable: set at start-up or at entry, compared
 * at exit. One that was written is a crash of kind guard (abi/locate.h) whose `block` is the
 * variable and whose `allocated` is the definition that stands for its declaration. */
#ifndef CULPRIT_ABI_LAYOUT_H
#define CULPRIT_ABI_LAYOUT_H

#include <stdint.h>

#define CULPRIT_LAYOUT_ARENA 0x2b0000000000ull
#define CULPRIT_LAYOUT_ARENA_SIZE (1ull << 34)
#define CULPRIT_LAYOUT_STACK_TOP 0x2a4000000000ull /* of the data stack */
#define CULPRIT_LAYOUT_ABSOLUTE (1ull << 40)
#define CULPRIT_LAYOUT_FRAME_HEAD 2 /* entries before those of a frame's variables */

/* A global variable whose home is the table's entry of the same number; its image is where the
 * linker put it, with its initial value. */
typedef struct culprit_moved_global {
  void *image;
  uint64_t size;
} culprit_moved_global;

/* A word of an initial value (of any variable) that is the address of a moved one. */
typedef struct culprit_moved_pointer {
  uint64_t *word;
  uint64_t global;
  int64_t addend;
} culprit_moved_pointer;

/* Handed to __culprit_register_layout before the unit is registered. */
typedef struct culprit_layout_unit {
  uint64_t *table;
  uint64_t entries;
  const culprit_moved_global *globals;
  uint64_t global_count;
  const culprit_moved_pointer *pointers;
  uint64_t pointer_count;
  unsigned char **entered; /* one byte per function, set to 1 when it is entered; the option
                              `entered` makes them a file's */
  uint64_t functions;
} culprit_layout_unit;

/* The table as the engine sees it, in a frame of kind CULPRIT_FRAME_SITES of its own (abi/sites.h):
 *   "moved_globals": [[name, size, alignment, flags, definition, [function, ...]], ...]
 *   "frames": [[name, function, first entry, alignment, flags, [[name, size, alignment, flags,
 *             definition], ...]], ...]
 * function: its number, as in `entered`; of a global, those that use it. Flags below. */
#define CULPRIT_LAYOUT_GLOBALS "moved_globals"
#define CULPRIT_LAYOUT_FRAMES "frames"
#define CULPRIT_LAYOUT_BUFFER 1u   /* has elements or members */
#define CULPRIT_LAYOUT_ADDRESS 2u  /* addresses are made of it: a pointer, an index */
#define CULPRIT_LAYOUT_ARGUMENT 4u /* passed by value: stays above the sentinel */
#define CULPRIT_LAYOUT_ALONE 1u    /* of a frame: no two of this function exist at a time */

#endif
