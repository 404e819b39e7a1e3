/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The index flavours: structural indexes of allocations and of nothing else, as pass/explain/ and
 * runtime/explain/ agree on them. The digests are those of the explain flavour (abi/explain.h).
 *
 * Nothing is folded while the program goes on. A frame notes at which of its calls it stands and
 * what the counters of the cycles around that call are; only an allocation folds, from the
 * innermost frame whose index is already known. That index stays true as long as the frame lives,
 * since whoever called it stands where it stood.
 *
 * Which functions have no frame: those from which no allocation can be reached (relevance), and
 * those of which there is one call in the whole program (dominance): they stand in their caller's
 * frame, at sites that name the call they came by. */
#ifndef CULPRIT_ABI_INDEXING_H
#define CULPRIT_ABI_INDEXING_H

#include "abi/explain.h"

/* The counters (u64 each) of the cycles around the site follow it, outermost first; where the site
 * has `via`, those of that one come first. */
typedef struct culprit_index_frame {
  struct culprit_index_frame *caller;
  uint64_t index;    /* of the call; 0: nobody has asked yet */
  uint32_t site;     /* of the call where it stands */
  uint32_t happened; /* entries and allocations at that site; the pass stores 0 beside the site */
  uint64_t entered;  /* what the caller's `happened` was at entry */
} culprit_index_frame;

typedef struct culprit_indexed_site {
  uint64_t id;
  uint64_t function; /* the id of the function it is in */
  uint32_t via; /* the site by which that function was called in the same frame; 0: the frame is its
                   own */
  uint16_t first; /* counter */
  uint16_t counters;
} culprit_indexed_site;

/* What was instrumented: the paper's Table 1. */
typedef struct culprit_index_extent {
  uint64_t functions;  /* all whose code is seen */
  uint64_t framed;     /* have a frame of their own */
  uint64_t guests;     /* stand in their caller's */
  uint64_t branches;   /* with more than one way to go on */
  uint64_t counted;    /* cycles that have a counter */
  uint64_t allocating; /* calls of allocation functions */
} culprit_index_extent;

/* One per executable, handed to __culprit_register_index by its first constructor. */
typedef struct culprit_index_unit {
  const culprit_indexed_site *sites; /* numbers begin with 1: the first row is nobody's */
  uint64_t site_count;               /* that row included */
  culprit_index_extent extent;
} culprit_index_unit;

/* The file of the option `index_summary`, which needs the option `tree`. */
typedef struct culprit_index_summary {
  culprit_index_extent extent;
  uint64_t blocks;     /* handed out, objects of pools too */
  uint64_t bytes;      /* asked for by them */
  uint64_t most_nodes; /* of the tree at the same time */
  uint64_t deepest;    /* parts of the longest index */
} culprit_index_summary;

/* The thread's innermost frame; null: none is active. */
#define CULPRIT_INDEX_FRAME "__culprit_index_frame"
/* What calls the frames that no frame called. */
#define CULPRIT_INDEX_ROOT_FRAME "__culprit_index_root"

/* The file of allocations (option `allocations`), of these flavours and of explain: one row each.
 */
typedef struct culprit_told_allocation {
  uint64_t index; /* 0: made outside all frames */
  uint64_t size;
} culprit_told_allocation;

/* The online semantics (flavours …-online): every pointer carries the region it was made for,
 * through arithmetic too; a region is known by where it starts, 0: nobody knows. Of a pointer in
 * memory it stands in a cell of eight bytes for each word, at CULPRIT_REGIONS_BASE + (address &
 * CULPRIT_REGIONS_MASK). Arguments and results are handed over in thread-local variables; a
 * function that code not seen may call looks whether they are meant for it. */
#define CULPRIT_REGIONS_BASE 0x300000000000ull
#define CULPRIT_REGIONS_MASK 0x1ffffffffff8ull
#define CULPRIT_REGIONS_SIZE (1ull << 45)
#define CULPRIT_REGION_ARGUMENTS "__culprit_region_arguments" /* so many words: */
#define CULPRIT_REGION_ARGUMENT_COUNT 8
#define CULPRIT_REGION_RESULT "__culprit_region_result"
#define CULPRIT_REGION_CALLEE "__culprit_region_callee"

#ifdef __cplusplus
static_assert(sizeof(culprit_index_frame) == 32 && sizeof(culprit_indexed_site) == 24 &&
                  sizeof(culprit_index_unit) == 64 && sizeof(culprit_index_summary) == 80 &&
                  sizeof(culprit_told_allocation) == 16,
              "pass and runtime of one culprit agree; files of allocations are never kept");
#endif

#endif
