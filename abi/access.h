/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Access sets in the monitor flavours: what the code that pass/ inserts and the runtime agree on.
 *
 * Tags. Every granule of CULPRIT_GRANULE bytes of the lower half of the address space has a 16-bit
 * tag at CULPRIT_TAG_BASE + 2 * (address >> CULPRIT_GRANULE_SHIFT). Two granules have the same tag
 * only if byte k of the one has the same *name* as byte k of the other, for every k: a tag is a
 * kind of granule. Tag 0 is memory nobody watches. CULPRIT_TAG_EXACT says: always ask the runtime.
 * A name is what the paper calls an object's name (a global, an allocation context, a
 * return-address slot, a local variable), with a member where the type is known.
 *
 * Rows. Every access site has a row: one 32-bit word per tag, at culprit_row(row) + 8 * tag. Bit k
 * of it says: an access of this row that starts at byte k of a granule with this tag is known, and
 * nothing is to be done; bit k + 16 says the same. So the check before an access at `a` is
 *     if (!(word[row, tag of a] >> (a & 31) & 1)) __culprit_access(a, row)
 * which is one bit test: x86 takes its number modulo 32, and the compiler knows that. (A test of 16
 * bits it does not know. In inline assembler, with the carry as the result, LLVM 19 puts other
 * instructions between the test and the branch that change the carry.)
 * What is likely to be an element of an array asks first whether all bits are set, which takes an
 * instruction less.
 * The runtime sets the bit once it has recorded every pair (site, name) such an access makes; it
 * leaves it clear where one bit cannot say it exactly. A row stands for one place in the source
 * *and one size*. An access of more than 16 bytes is checked in parts of 16; one that may lie
 * across two granules is checked a second time at its last byte, with a row of its own marked
 * CULPRIT_ROW_TAIL: such an access goes from the start of the granule to the byte named.
 * Tags are multiples of CULPRIT_TAG_STEP, so that the words of CULPRIT_ROWS_TOGETHER rows for one
 * tag share a cache line: the sites of a function mostly access the same few kinds, and a row
 * in pages of its own made a large program (sqlite3) wait for its rows two fifths of the time. Rows
 * grow down from CULPRIT_TAG_BASE, so that one base reaches tags and the first 65,000 rows: that of
 * the segment register gs, which nothing else uses in 64-bit Linux programs. The runtime sets it
 * before any instrumented code runs, and new threads have it from the one that makes them.
 *
 * Joint rows. Members of a struct that are accessed together through one pointer have one check
 * where it is known that they can: bit k of the joint row's word for a tag says that the first
 * access, starting at byte k of a granule with this tag, and the others, each so many bytes from
 * it, are all known. The granule of the first says what the others meet if they lie in it, too, or
 * if it says which member of which struct the first one meets, since structs are named as a whole.
 * The row behind the joint one has bits where this does not follow (arrays, blocks without a
 * layout): then each is checked by itself, and nobody asks again. Counting and event flavours have
 * none.
 *
 * Counting flavours (training) also add one to the 64-bit word culprit_count(row) + 8 * tag at
 * every access, known or not. Event flavours call __culprit_event at every access instead of
 * checking.
 *
 * Names. What lies where: globals are listed in the unit, and behind them up to CULPRIT_GLOBAL_GAP
 * bytes behind each array, which are named as far as nothing else is there (as many in front of
 * each variable are memory of no object); blocks have the layout of the innermost site of their
 * context that has one; locals and return slots are put on the stack's tags by __culprit_local_on
 * when they come to life and taken off by __culprit_local_off.
 *
 * Locals come and go with every call. Where one, with the gap behind it, has up to
 * CULPRIT_OWN_GRANULES granules to itself, the code of the main unit writes their tags itself: the
 * runtime leaves them in culprit_variable.tags when __culprit_local_owns names it for the first
 * time, and takes them back when tags alone do not say everything any more (watch points, exact
 * granules). Then, and for a variable below all that the thread has named (__culprit_lowest_local,
 * from which unwinding takes names off), the code asks the runtime. */
#ifndef CULPRIT_ABI_ACCESS_H
#define CULPRIT_ABI_ACCESS_H

#include <stdint.h>

#define CULPRIT_GRANULE_SHIFT 4
#define CULPRIT_GRANULE 16
#ifndef CULPRIT_TAG_BASE /* ThreadSanitizer's own tables lie there: a test moves ours */
#define CULPRIT_TAG_BASE 0x100000000000ul /* 2^44; the tags end where the arena begins */
#define CULPRIT_ROW_BASE CULPRIT_TAG_BASE
#define CULPRIT_FIRST_TAGGED 0ul /* addresses from here on have a tag */
#endif
#define CULPRIT_TAG_TABLE_SIZE (1ul << (47 - CULPRIT_GRANULE_SHIFT + 1))
#define CULPRIT_TAGS 65536u
#define CULPRIT_TAG_STEP 8
#define CULPRIT_OWN_GRANULES 4 /* a 64-bit word of tags */
#define CULPRIT_TAG_EXACT (CULPRIT_TAGS - CULPRIT_TAG_STEP)

/* From the rows that lie together to the next: a power of two would put the same tag of all rows
 * into one set of every cache and of the TLB. */
#define CULPRIT_ROWS_TOGETHER 16
#define CULPRIT_ROW_PITCH (CULPRIT_TAGS * 8 + 4096u + 64u)
#define CULPRIT_COUNTS_TOGETHER 8
#define CULPRIT_COUNT_PITCH CULPRIT_ROW_PITCH

#define CULPRIT_MAX_ROWS (1u << 20)
#define CULPRIT_NO_ROWS (CULPRIT_MAX_ROWS - CULPRIT_ROWS_TOGETHER) /* of a unit that found none */
#define CULPRIT_ROW_TABLE_SIZE                                                                     \
  ((uint64_t)CULPRIT_MAX_ROWS / CULPRIT_ROWS_TOGETHER * CULPRIT_ROW_PITCH)
#define CULPRIT_MAIN_ROWS (1u << 18) /* rows of the main unit start at 0; those of others here */
#ifndef CULPRIT_COUNT_BASE
#define CULPRIT_COUNT_BASE 0x80000000000ul /* 2^43: counting flavours only */
#endif
#define CULPRIT_COUNT_TABLE_SIZE                                                                   \
  ((uint64_t)CULPRIT_MAX_ROWS / CULPRIT_COUNTS_TOGETHER * CULPRIT_COUNT_PITCH)

static inline uint64_t culprit_row(uint32_t row) {
  return CULPRIT_ROW_BASE - ((uint64_t)row / CULPRIT_ROWS_TOGETHER + 1) * CULPRIT_ROW_PITCH +
         row % CULPRIT_ROWS_TOGETHER * 4ul;
}
static inline uint64_t culprit_count(uint32_t row) {
  return CULPRIT_COUNT_BASE + (uint64_t)row / CULPRIT_COUNTS_TOGETHER * CULPRIT_COUNT_PITCH +
         row % CULPRIT_COUNTS_TOGETHER * 8ul;
}

enum culprit_row_flag {
  CULPRIT_ROW_READ = 1,
  CULPRIT_ROW_TAIL = 2,   /* see above */
  CULPRIT_ROW_DIRECT = 4, /* a named variable at a fixed place: no pointer, no index */
  CULPRIT_ROW_JOINT = 8,  /* a joint row, or the one behind it; the rest is the first access's */
};

typedef struct culprit_row_info {
  uint8_t size; /* 1 to 16; 0: ranges only (library calls), the length comes with the call */
  uint8_t flags;
  uint16_t alignment; /* the address is known to be a multiple of this; 0 or 1: of nothing */
  uint32_t site;      /* position in the unit's table of access sites */
} culprit_row_info;

/* What a joint row stands for. Rows are the unit's own numbers. */
typedef struct culprit_joined {
  int64_t distance; /* from the first access */
  uint32_t row;
  uint32_t zero;
} culprit_joined;

typedef struct culprit_joined_set { /* the others lie behind it */
  uint32_t row;                     /* of the first access */
  uint32_t joint;
  uint32_t others;
  uint32_t zero;
} culprit_joined_set;

#define CULPRIT_GLOBAL_GAP 16

/* Types that are larger, or have more members or ranges, have one name for all of it. */
#define CULPRIT_LAYOUT_BYTES 4096u
#define CULPRIT_LAYOUT_MEMBERS 256u
#define CULPRIT_LAYOUT_RANGES 1024u
#define CULPRIT_LAYOUT_JOINED 4u /* names of members that overlap: "a|b|c|d|..." */

/* A type's members, as ranges of bytes: range i reaches from
 * starts[i] to starts[i + 1] (the last one to size) and belongs to member[i]; starts[0] is 0.
 * Padding belongs to the member before it; the elements of an array are one member, those of an
 * array of structs one for each of theirs (so several ranges may belong to one member). Behind
 * `size`, a block or variable repeats the layout, unless `rest` names the member that goes on to
 * its end. */
typedef struct culprit_layout {
  uint32_t size;
  uint32_t ranges;  /* entries of starts and member */
  uint32_t members; /* distinct ones */
  uint32_t rest;    /* number of a member + 1; 0: the layout is repeated */
  const uint32_t *starts;
  const uint32_t *member;
} culprit_layout;

/* A global, a local variable, the gap behind one, or the slot of a function's return address. */
typedef struct culprit_variable {
  void *address; /* of globals; null otherwise */
  uint64_t size;
  struct culprit_access_unit *unit;
  uint32_t index;  /* position in the unit's table of variables */
  uint32_t layout; /* position in `layouts` + 1; 0: one name */
  uint64_t first;  /* the runtime's own; 0 at first */
  uint64_t tags;   /* of its granules, the first in the lowest bits; 0: ask the runtime */
  struct culprit_variable *next_owner; /* the runtime's own */
} culprit_variable;

typedef struct culprit_access_unit {
  uint64_t id; /* that of the culprit_unit */
  struct culprit_unit *unit;
  uint32_t is_main;  /* 1: the code was made for row_base 0 */
  uint32_t row_base; /* written by __culprit_register_access; a multiple of CULPRIT_ROWS_TOGETHER */
  uint32_t rows;
  uint32_t globals;
  uint32_t layouts;
  uint32_t site_layouts; /* entries in site_layout */
  uint32_t gaps; /* the last ones of `globals`: what lies behind a global, if it is nobody's */
  uint32_t zero;
  const culprit_row_info *row;
  culprit_variable *global;
  const culprit_layout *layout;
  const uint32_t *site_layout; /* by site number in the unit: position in `layouts` + 1, or 0 */
} culprit_access_unit;

/* A weak definition of this symbol (one byte) says what the flavour watches: culprit_feature bits.
 */
#define CULPRIT_FEATURES_SYMBOL "__culprit_features"

/* Thread-local, 64 bits: the lowest address that a local of the thread had; all ones: none. */
#define CULPRIT_LOWEST_LOCAL_SYMBOL "__culprit_lowest_local"

/* Of culprit_watch_on: see include/culprit/watch.h. */
#endif
