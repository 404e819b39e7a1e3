// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See index_rows.h.
#include "runtime/explain/index_rows.h"

#include "runtime/os/memory.h"

namespace culprit::explain {

IndexRow *g_index_rows;
uint64_t *g_index_powers;

namespace {

constexpr uint64_t kBase = CULPRIT_INDEX_BASE;

// One fold more behind all that the row has.
void fold(IndexRow &row, uint64_t mixed) {
  row.multiplier *= kBase;
  row.addend = row.addend * kBase + mixed;
  for (uint32_t i = 0; i < row.counters; ++i)
    g_index_powers[row.first_power + i] *= kBase;
}

void fold_counter(IndexRow &row) {
  fold(row, 0);
  g_index_powers[row.first_power + row.counters++] = 1;
}

// A site's number may be smaller than that of the one it is reached by.
void make_row(const culprit_index_unit &unit, uint32_t site, uint32_t &used) {
  const culprit_indexed_site &at = unit.sites[site];
  IndexRow &row = g_index_rows[site];
  if (row.multiplier)
    return;
  IndexRow start{1, 0, at.function, 0, 0};
  if (at.via) {
    make_row(unit, at.via, used);
    start = g_index_rows[at.via];
  }
  for (uint32_t i = 0; i < start.counters; ++i)
    g_index_powers[used + i] = g_index_powers[start.first_power + i];
  row = start;
  row.first_power = used;
  if (at.via) {
    fold(row, culprit_index_mix(0));
    fold(row, culprit_index_mix(at.function));
  }
  fold(row, culprit_index_mix(at.id));
  for (uint32_t i = 0; i < at.counters; ++i)
    fold_counter(row);
  used += row.counters;
}

} // namespace

bool make_index_rows(const culprit_index_unit &unit) {
  uint64_t powers = 0;
  for (uint64_t site = 1; site < unit.site_count; ++site)
    powers += unit.sites[site].first + unit.sites[site].counters;
  if (!os::map_table(g_index_rows, unit.site_count) || !os::map_table(g_index_powers, powers + 1))
    return false;
  uint32_t used = 0;
  for (uint32_t site = 1; site < unit.site_count; ++site)
    make_row(unit, site, used);
  return true;
}

} // namespace culprit::explain
