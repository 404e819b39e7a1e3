/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The locate flavours: what the code that pass/locate/ inserts and runtime/locate/ agree on.
 *
 * Ids. Every value has an id: which definition made it, and when. 64 bits:
 *     corrupt (1) | time (41) | definition (22)
 * so that the unsigned maximum of several ids is the most recent one, and a corrupt one wins. Id 0
 * is memory that nothing known has written. Memory has one id per CULPRIT_CELL_BYTES bytes (a
 * *cell*), in a shadow of the whole lower half of the address space that is always mapped, so that
 * looking up a wild address never faults: CULPRIT_SHADOW_BASE + ((address & CULPRIT_SHADOW_MASK) <<
 * CULPRIT_SHADOW_SHIFT)
 *
 * Definitions. A store of a computed value, a constant passed on, a call that returns something
 * from unseen code, a library call that writes, an allocation, a free, a variable's declaration, a
 * global's initial value: each is a *definition* with a number (from 1) in its unit. Copies (a load
 * stored again, an argument, a result, a phi) keep the id they carry. Executing a definition makes
 * a new id:
 *     __culprit_clock += CULPRIT_TICK;  id = __culprit_clock | definition |
 * __culprit_attention[definition] if (id is corrupt) id = __culprit_fired(id) (suppress flavour
 * only)
 * __culprit_attention has CULPRIT_ID_CORRUPT for the definitions under suspicion (*targets*) and 0
 * for all others, so the common path has no test of its own; __culprit_fired counts the executions
 * of targets and gives the id back, corrupt if this execution is a target, clean if it is not. A
 * variable's declaration takes no tick: id = definition | __culprit_attention[definition] (every
 * execution of it is a target, or none). The trace flavour makes the same ids at the same places
 * (time included) and knows nothing corrupt.
 *
 * Suppression (suppress flavour). A value computed from something corrupt is corrupt. A load
 * through a corrupt address is not made, a store of a corrupt value or to a corrupt address is not
 * made (the cells of the former become corrupt), a branch on a corrupt condition goes to its
 * immediate post-dominator, a call of unseen code with a corrupt argument or through a corrupt
 * pointer is not made and its result is corrupt.
 *
 * Stains. Memory is seen in *stretches* of 1 KiB. A stretch with a cell that was made corrupt has a
 * stain, a byte that is not 0, and keeps it; so have stretches that end less than
 * CULPRIT_STAIN_REACH bytes before such a cell, so that of an access no longer than that one stain
 * tells. Where there is none nothing is corrupt and no id has to be read to know it: the stains of
 * a large program stay in the cache, its ids do not. A stretch's stain:
 *     CULPRIT_STAINS_BASE + ((u32)address >> CULPRIT_STRETCH_SHIFT)
 * Stretches that share one are 4 GiB apart; a stain that is not theirs costs time and is no error.
 *
 * The base of the gs register is CULPRIT_SHADOW_BASE, in all threads; stains lie right before it.
 * Code of the unit reaches both by it (pass/locate/behind_gs.h).
 *
 * Unwritten memory. In the flavour origins, and under the option of the same name, the cells of a
 * block that was allocated (not by calloc) or freed, and of a variable that was declared, have
 * CULPRIT_ID_UNWRITTEN in their id until somebody writes there. What is computed from such a value
 * keeps its id, through all definitions: the mark is below that of what is corrupt and above the
 * time, so that the maximum of several ids keeps it, too. A value of several cells has it only if
 * all of them do: structs are copied by words. All else is as in suppress, the clock included.
 * Code that nobody sees may write what it is given a pointer to: that is not marked any more. Nor
 * does a mark count if the bytes of a block are not those any more that it was filled with. What
 * such code frees has no definition; beside the mark is CULPRIT_ID_BY_PLACE then, and instead of
 * the definition the number of the place that has called it.
 *
 * Leaves. What an access's address is made of are its *leaves*; a call of unseen code has one per
 * argument. The place's row in the unit's table says what each leaf is. An access tells their ids
 * by itself: it is one instruction, which a row of the section CULPRIT_ACCESSES_SECTION
 * (culprit_access_row) belongs to. The row has the place and says in which registers the ids are
 * when that instruction faults, or where the value was read whose id is asked for, if nothing can
 * have been written since. So showing leaves costs an access no instruction.
 * What one instruction does not do (a vector, an atomic access, a division, a call of unseen code,
 * a call that does not return), or what has more leaves than registers can be spared, stores their
 * ids into __culprit_leaves before, and so does a call that may run out of stack with the leaves of
 * the access before it. What a crash is blamed on is then what stands there. The number of such an
 * access costs no instruction either: a row of the section CULPRIT_PLACES_SECTION
 * (culprit_place_row) says from which instruction on it holds, up to the next row's in either
 * section. All other places store theirs into __culprit_place and have a row that says so (place
 * 0); that is also where to look if the faulting instruction is not in CULPRIT_TEXT_SECTION, to
 * which the unit's functions belong, or faulted for another reason than its address. Of a call of
 * unseen code __culprit_pointers has the arguments that are pointers, too (null for the others):
 * unseen code may fault for what it reads there.
 *
 * Ids that nobody asks for. Of many values only matters whether they are corrupt. The suppress
 * flavour reads their ids from memory only if __culprit_armed says that something may be, and a
 * stain that it may be there: armed is set when a target fires, and from the start if a target is a
 * declaration or an initial value.
 *
 * Calls. A function that only code of the unit calls, by its name, has a parameter more for each
 * id that it asks for and returns its result's id beside the result. For all others the ids of
 * arguments are in __culprit_argument_ids (the first CULPRIT_ARGUMENT_IDS;
 * __culprit_callee is the function they are meant for: a function called by unseen code finds
 * another one there and takes 0 for all), the id of the result in __culprit_result_id (0 before the
 * call: nobody set it). Before a call that allocates or frees, __culprit_allocation_id is a new id
 * of that call's definition; the runtime gives it to the block's cells and sets it to 0.
 *
 * A result's id that was read from memory may be returned as the address of its cells, and who asks
 * for it reads it there (pass/locate/late_results.h). An id without cells is put into a variable of
 * the section CULPRIT_RETURNED_SECTION then. It is good until the next call, so only a handler of a
 * signal can come between.
 *
 * Data stack. Local variables whose address escapes do not live on the machine's stack but on a
 * stack of ours, so that an overflow meets the same neighbours in every flavour and never the
 * compiler's spill slots. A frame: low addresses … last declared variable … first declared variable
 * | sentinel (8 bytes) | caller's frame … the order clang gives them, with the sentinel where the
 * return address would be. __culprit_data_stack is the lowest address in use. The sentinel is set
 * at entry and compared at exit; if it differs, __culprit_smashed is called.
 *
 * Threads. One runs at a time, so none of these is thread-local; the scheduler
 * (runtime/locate/threads/) saves and restores them, but for the clock. In a program that starts
 * threads, loops that may wait for one (by an atomic or volatile load) count __culprit_spins down
 * and call __culprit_spun when it is below zero, so that another may run. */
#ifndef CULPRIT_ABI_LOCATE_H
#define CULPRIT_ABI_LOCATE_H

#include <stdint.h>

#define CULPRIT_ID_CORRUPT (1ull << 63)
#define CULPRIT_ID_UNWRITTEN (1ull << 62) /* flavour origins; else a bit of the time */
#define CULPRIT_ID_BY_PLACE (1ull << 61)  /* only beside that */
#define CULPRIT_ID_DERIVED (1ull << 60)   /* only beside that: computed, need not look unwritten */
#define CULPRIT_ID_MARKS (CULPRIT_ID_UNWRITTEN | CULPRIT_ID_BY_PLACE | CULPRIT_ID_DERIVED)
#define CULPRIT_ID_TIME_SHIFT 22
#define CULPRIT_TICK (1ull << CULPRIT_ID_TIME_SHIFT)
#define CULPRIT_ID_DEFINITION_MASK (CULPRIT_TICK - 1)
#define CULPRIT_MAX_DEFINITIONS (1u << CULPRIT_ID_TIME_SHIFT)

#define CULPRIT_CELL_BYTES 4
#define CULPRIT_SHADOW_BASE 0x300000000000ull
#define CULPRIT_SHADOW_MASK 0x0ffffffffffcull /* 44 bits, the lowest two are the byte of a cell */
#define CULPRIT_SHADOW_SHIFT 1
#define CULPRIT_SHADOW_SIZE (1ull << 45)

#define CULPRIT_STRETCH_SHIFT 10
#define CULPRIT_STAINS_SIZE (1ull << (32 - CULPRIT_STRETCH_SHIFT))
/* Not at a multiple of their size from there: LLVM would take the sum of two numbers without common
 * bits for no sum, and would not leave it to the instruction that reads. */
#define CULPRIT_STAINS_BASE (CULPRIT_SHADOW_BASE - CULPRIT_STAINS_SIZE - 4096)
#define CULPRIT_STAIN_REACH 128

/* The option `contents`. */
#define CULPRIT_CONTENTS_ZERO 1   /* fresh memory is */
#define CULPRIT_CONTENTS_LEFT 2   /* that, and freed memory is left as it was */
#define CULPRIT_CONTENTS_READ 3   /* as usual; to read freed memory is a crash (flavour origins) */
#define CULPRIT_CONTENTS_LOCALS 4 /* as usual; locals begin as no zeros, either */
#define CULPRIT_CONTENTS_APART 5  /* as usual; heap blocks have long guards between them */

/* Objects up to this size that unseen code is given the address of are compared behind the call
 * with what they held before it: what has changed was written by the call. */
#define CULPRIT_LENT_BYTES 64

#define CULPRIT_ARGUMENT_IDS 64
#define CULPRIT_LEAVES 8

/* Globals of the runtime that instrumented code reads and writes. */
#define CULPRIT_CLOCK_SYMBOL "__culprit_clock"   /* u64: time in its place of an id, other bits 0 */
#define CULPRIT_PLACE_SYMBOL "__culprit_place"   /* u32: of calls and divisions */
#define CULPRIT_LEAVES_SYMBOL "__culprit_leaves" /* u64[CULPRIT_LEAVES] */
/* ptr[2], constant: where the executable's own code begins and ends. */
#define CULPRIT_CODE_SYMBOL "__culprit_code"
/* ptr: before __culprit_fired of a store to memory, where it goes. */
#define CULPRIT_STORED_AT_SYMBOL "__culprit_stored_at"
/* u32: not 0 as soon as something is corrupt; __culprit_fired may set it. */
#define CULPRIT_ARMED_SYMBOL "__culprit_armed"
/* ptr: then, too: where the pointer that it is made by was loaded from; null: it is made by none.
 */
#define CULPRIT_STORED_THROUGH_SYMBOL "__culprit_stored_through"
#define CULPRIT_POINTERS_SYMBOL "__culprit_pointers"           /* ptr[CULPRIT_LEAVES] */
#define CULPRIT_ARGUMENT_IDS_SYMBOL "__culprit_argument_ids"   /* u64[CULPRIT_ARGUMENT_IDS] */
#define CULPRIT_CALLEE_SYMBOL "__culprit_callee"               /* ptr */
#define CULPRIT_RESULT_ID_SYMBOL "__culprit_result_id"         /* u64 */
#define CULPRIT_ALLOCATION_ID_SYMBOL "__culprit_allocation_id" /* u64 */
#define CULPRIT_DATA_STACK_SYMBOL "__culprit_data_stack"       /* ptr */
#define CULPRIT_SPINS_SYMBOL "__culprit_spins"                 /* i32: see spun in hooks.def */
#define CULPRIT_SPINS 10000
/* Of the unit itself, internal to it: u64[definitions + 1], all 0 until the runtime sets targets.
 */
#define CULPRIT_ATTENTION_SYMBOL "__culprit_attention"
/* 64 bytes of zeros: what is looked at instead of something at a corrupt address. */
#define CULPRIT_NOTHING_SYMBOL "__culprit_nothing"

/* A global variable of the unit and the definition that stands for its initial value. */
typedef struct culprit_global_definition {
  void *address;
  uint64_t size;
  uint32_t definition;
  uint32_t padding;
} culprit_global_definition;

/* One per unit, handed to __culprit_register_locate by its first constructor. Only the main unit of
 * the executable is instrumented so far: its definitions and places are numbered from 1. */
typedef struct culprit_locate_unit {
  uint64_t id; /* names its tables (abi/sites.h) */
  uint64_t *attention;
  uint32_t definitions; /* the highest number */
  uint32_t places;
  const culprit_global_definition *globals;
  uint64_t global_count;
} culprit_locate_unit;

/* Sections of the unit; their names are such that the linker defines __start_NAME and __stop_NAME.
 */
#define CULPRIT_TEXT_SECTION "culprit_text"
#define CULPRIT_PLACES_SECTION "culprit_places"
typedef struct culprit_place_row {
  int32_t start; /* of the instructions it is for, from this field's own address */
  uint32_t place;
} culprit_place_row;

/* u64s, no more than so many bytes. */
#define CULPRIT_RETURNED_SECTION "culprit_returned"
#define CULPRIT_RETURNED_BYTES 2048

/* Of accesses that tell by themselves: variable length, each aligned to 4 bytes. The text has a
 * leaf each between semicolons. A leaf is
 *   - TERM, or
 *   - TERM?LIMIT|TERM|…: the first, or the newest of all if the first is no more than LIMIT.
 * A term is
 *   - an operand as the assembler writes it, %REGISTER or $NUMBER: that is the id, or
 *   - @SIZE:OFFSET:OPERAND: the newest id of the SIZE bytes at OPERAND + OFFSET, or
 *   - *COUNT:OPERAND: the newest of the COUNT ids that stand at OPERAND. */
#define CULPRIT_ACCESSES_SECTION "culprit_accesses"
typedef struct culprit_access_row {
  int32_t instruction; /* that accesses, from this field's own address */
  uint32_t place;
  char leaves[]; /* text, with a 0 behind it */
} culprit_access_row;

/* How an execution ended that a program did not mean to end so. */
enum culprit_crash_kind {
  CULPRIT_CRASH_SIGNAL = 1, /* SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP by the machine */
  CULPRIT_CRASH_ABORT = 2,  /* abort, a failed assertion, std::terminate, a signal it sent itself */
  CULPRIT_CRASH_BAD_FREE = 3,    /* free or realloc of something that is no block */
  CULPRIT_CRASH_DOUBLE_FREE = 4, /* of a block that is free already */
  CULPRIT_CRASH_GUARD = 5,       /* a guard word around a block was written */
  CULPRIT_CRASH_FREED_WRITE = 6, /* a freed block was written */
  CULPRIT_CRASH_SMASHED = 7,     /* a sentinel was written */
  CULPRIT_CRASH_EXHAUSTED = 8,   /* a stack is full */
  CULPRIT_CRASH_DEADLOCK = 9,    /* every thread waits for another */
  CULPRIT_CRASH_ENDLESS = 10,    /* it did not end in time (option `endless`) */
  CULPRIT_CRASH_FREED_READ = 11, /* a freed block was read (option `contents`) */
};

/* Rows of the targets file (option `targets`), one a line: "DEFINITION HOW NUMBER", numbers in
 * decimal. A definition may have several.
 *   t  the execution at this time (of the last execution's clock)
 *   s  the executions at this time and later
 *   n  the NUMBER-th execution (from 1)
 *   f  the NUMBER-th execution and later ones
 *   a  every execution (NUMBER is 0)
 *   k  the executions at this time and later of a store to memory: not made, and nothing is corrupt
 *      for it; what was there is kept, with its id
 *   w  none of this definition: NUMBER is an address that is watched. If less than a pointer is
 *      copied there that is corrupt, or anything by a library function, the record brought is
 *      written
 * The record fired is written once for each row, when it first holds. */

#endif
