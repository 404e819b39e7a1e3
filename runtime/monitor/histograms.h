// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many vertexes have which degrees: one row of cells (abi/monitor.h) per allocation context,
// kept up to date vertex by vertex; the list of rows that changed is what a point record needs.
// Only under the point lock.
#pragma once

#include "abi/run_file.h"
#include "runtime/monitor/contexts.h"

namespace culprit::monitor {

struct Row {
  uint32_t cells[CULPRIT_CELLS];
  uint32_t changed; // 1: is in the list
};

extern Row *g_rows;
extern uint64_t g_cells[CULPRIT_CELLS]; // of all contexts
extern uint32_t *g_changed_rows;
extern size_t g_changed_count;

bool create_histograms();

inline void note_change(uint32_t context) {
  if (g_rows[context].changed)
    return;
  g_rows[context].changed = 1;
  g_changed_rows[g_changed_count++] = context;
}

inline void add_to_cell(uint32_t context, unsigned cell) {
  ++g_rows[context].cells[cell];
  ++g_cells[cell];
  note_change(context);
}

inline void take_from_cell(uint32_t context, unsigned cell) {
  --g_rows[context].cells[cell];
  --g_cells[cell];
  note_change(context);
}

inline void move_cell(uint32_t context, unsigned from, unsigned to) {
  if (from == to)
    return;
  take_from_cell(context, from);
  add_to_cell(context, to);
}

// Writes the changed rows of point `index` and begins a new list.
void append_changed_rows(uint32_t index);
// In the child of a fork, whose file knows no rows yet.
void note_all_rows();

} // namespace culprit::monitor
