/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The monitor flavour: what the code that pass/ inserts and the runtime agree on.
 *
 * Cards. The whole lower half of the address space has one byte per 2^CULPRIT_CARD_SHIFT bytes, at
 * CULPRIT_CARD_BASE + (address >> CULPRIT_CARD_SHIFT): no range check, and the base fits a 32-bit
 * displacement. A store that may hold a pointer is followed (never preceded: a concurrent scan must
 * not clear the mark before the value is there) by
 *     if (card of the address == CULPRIT_CARD_CLEAN) __culprit_card_dirty(address)
 * Cards outside the arena stay dirty for ever, so they cost one call each.
 *
 * Work. __culprit_countdown (thread-local) falls by one per function entry as the source has them,
 * and by what the runtime adds for allocations; below zero, __culprit_work_done() decides whether a
 * metric point is due.
 *
 * Context. __culprit_context (thread-local, 64 bits) holds the last four call sites that lead to an
 * allocation, 16 bits each, newest lowest. A function keeps the value it was entered with and
 * stores (own << 16 | site) before each call that may allocate; nothing is restored on return.
 *
 * Units. Each module compiled as one (the merged program, a module compiled alone, a shared object)
 * has a culprit_unit, registered by its first constructor; its sites are numbered from `base`,
 * which the runtime assigns, and are described by a frame of kind CULPRIT_FRAME_SITES whose
 * metadata names the unit's id. */
#ifndef CULPRIT_ABI_MONITOR_H
#define CULPRIT_ABI_MONITOR_H

#include <stdint.h>

#define CULPRIT_CARD_SHIFT 7
#define CULPRIT_CARD_BASE 0x20000000ul
#define CULPRIT_CARD_TABLE_SIZE (1ul << (47 - CULPRIT_CARD_SHIFT))

enum culprit_card {
  CULPRIT_CARD_CLEAN = 0,
  CULPRIT_CARD_DIRTY = 1,
  CULPRIT_CARD_STICKY = 2, /* unseen native code may write here: every scan looks, none cleans */
};

#define CULPRIT_CONTEXT_SHIFT 16 /* bits per call site in __culprit_context */
#define CULPRIT_CONTEXT_DEPTH 4
#define CULPRIT_LARGEST_SITE ((1u << CULPRIT_CONTEXT_SHIFT) - 1) /* that a context can name */

#define CULPRIT_EXACT_SIZE 512 /* bytes; see EXACT in hooks.def */

typedef struct culprit_unit {
  uint64_t id; /* from the sources: hash of its sites' stable ids */
  uint32_t sites;
  uint32_t base; /* written by __culprit_register_unit; 0 before */
} culprit_unit;

/* A weak definition of this symbol in the executable says: this is a monitor (or blame) flavour. */
#define CULPRIT_MONITOR_SYMBOL "__culprit_is_monitor"
#define CULPRIT_COUNTDOWN_SYMBOL "__culprit_countdown"
#define CULPRIT_CONTEXT_SYMBOL "__culprit_context"

/* Degrees are counted in cells: min(in, 3) * 8 + min(out, 7), and those with in = out > 2 apart, by
 * min(out, 7). Out-degrees are told apart further than the metrics ask for: the objects of one
 * allocation site have as many pointers as their type, and one more is one of many. */
#define CULPRIT_CELL_IN 3
#define CULPRIT_CELL_OUT 7
#define CULPRIT_CELL_BOTH_EQUAL 32 /* the first of those */
#define CULPRIT_CELLS 37

static inline unsigned culprit_cell(uint32_t in, uint32_t out) {
  unsigned few_in = in < CULPRIT_CELL_IN ? in : CULPRIT_CELL_IN;
  unsigned few_out = out < CULPRIT_CELL_OUT ? out : CULPRIT_CELL_OUT;
  if (in == out && in >= CULPRIT_CELL_IN)
    return CULPRIT_CELL_BOTH_EQUAL + few_out - CULPRIT_CELL_IN;
  return few_in * (CULPRIT_CELL_OUT + 1) + few_out;
}
/* And back; CULPRIT_CELL_IN and CULPRIT_CELL_OUT stand for so many or more. */
static inline unsigned culprit_cell_in(unsigned cell) {
  return cell >= CULPRIT_CELL_BOTH_EQUAL ? CULPRIT_CELL_IN : cell / (CULPRIT_CELL_OUT + 1);
}
static inline unsigned culprit_cell_out(unsigned cell) {
  return cell >= CULPRIT_CELL_BOTH_EQUAL ? cell - CULPRIT_CELL_BOTH_EQUAL + CULPRIT_CELL_IN
                                         : cell % (CULPRIT_CELL_OUT + 1);
}

/* Global degree metrics, in the order of the paper; runtime and engine count alike. */
typedef enum culprit_degree_metric {
  CULPRIT_METRIC_ROOTS,
  CULPRIT_METRIC_INDEGREE1,
  CULPRIT_METRIC_INDEGREE2,
  CULPRIT_METRIC_LEAVES,
  CULPRIT_METRIC_OUTDEGREE1,
  CULPRIT_METRIC_OUTDEGREE2,
  CULPRIT_METRIC_IN_EQ_OUT,
  CULPRIT_DEGREE_METRICS
} culprit_degree_metric;

/* Does a vertex counted in `cell` belong to the metric's class? */
static inline int culprit_cell_in_metric(unsigned cell, unsigned metric) {
  unsigned in = culprit_cell_in(cell);
  unsigned out = culprit_cell_out(cell);
  switch (metric) {
  case CULPRIT_METRIC_ROOTS:
    return in == 0;
  case CULPRIT_METRIC_INDEGREE1:
    return in == 1;
  case CULPRIT_METRIC_INDEGREE2:
    return in == 2;
  case CULPRIT_METRIC_LEAVES:
    return out == 0;
  case CULPRIT_METRIC_OUTDEGREE1:
    return out == 1;
  case CULPRIT_METRIC_OUTDEGREE2:
    return out == 2;
  case CULPRIT_METRIC_IN_EQ_OUT:
    return cell >= CULPRIT_CELL_BOTH_EQUAL || (in == out && in < CULPRIT_CELL_IN);
  default:
    return 0;
  }
}

/* The file named by the option `ranges`: an array of these, written by the engine for the runtime,
 * which starts to keep call stacks when a metric moves towards an end of its range. */
typedef struct culprit_range {
  uint32_t metric; /* culprit_degree_metric */
  uint32_t padding;
  double low; /* percent of the vertexes */
  double high;
} culprit_range;

#endif
