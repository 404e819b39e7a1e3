// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See units.h.
#include "runtime/access/units.h"

#include "abi/monitor.h"
#include "runtime/access/exact.h"
#include "runtime/access/naming_lock.h"
#include "runtime/access/rows.h"
#include "runtime/access/variables.h"
#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"

namespace culprit::access {
namespace {

constexpr size_t kMaxUnits = 4096;
constexpr uint32_t kLargestLayout = 4096;
constexpr size_t kCopyBytes = size_t{1} << 32;

struct Unit {
  culprit_record_access_unit record;
  Layout *layouts;
  const uint32_t *site_layout;
  uint32_t layout_count;
  uint32_t site_count;
  uint32_t site_base;
};

Unit g_units[kMaxUnits];
size_t g_count;
uint32_t g_next_row = CULPRIT_MAIN_ROWS;
bool g_main_seen;
char *g_copies; // sparse: what was copied from units
size_t g_copied;

template <typename T> T *take_copy(size_t count) {
  size_t bytes = (count * sizeof(T) + 15) & ~size_t{15};
  if (g_copied + bytes > kCopyBytes)
    return nullptr;
  T *result = reinterpret_cast<T *>(g_copies + g_copied);
  g_copied += bytes;
  return result;
}

Layout copy_layout(const culprit_layout &from) {
  if (!from.size || from.size > kLargestLayout || !from.ranges)
    return {};
  auto *member = take_copy<uint16_t>(from.size);
  if (!member)
    return {};
  for (uint32_t i = 0; i < from.ranges; ++i) {
    uint32_t end = i + 1 < from.ranges ? from.starts[i + 1] : from.size;
    for (uint32_t at = from.starts[i]; at < end && at < from.size; ++at)
      member[at] = static_cast<uint16_t>(from.member[i]);
  }
  return {from.size, from.members, from.rest, member};
}

void copy_unit(Unit &unit, const culprit_access_unit &from) {
  unit.site_base = from.unit ? from.unit->base : 0;
  unit.layouts = take_copy<Layout>(from.layouts);
  unit.layout_count = unit.layouts ? from.layouts : 0;
  for (uint32_t i = 0; i < unit.layout_count; ++i)
    unit.layouts[i] = copy_layout(from.layout[i]);
  auto *sites = take_copy<uint32_t>(from.site_layouts);
  unit.site_count = sites ? from.site_layouts : 0;
  for (uint32_t i = 0; i < unit.site_count; ++i)
    sites[i] = from.site_layout[i];
  unit.site_layout = sites;
}

uint32_t take_rows(const culprit_access_unit &unit) {
  if (unit.is_main && !g_main_seen && unit.rows <= CULPRIT_MAIN_ROWS) {
    g_main_seen = true;
    return 0;
  }
  if (unit.rows > CULPRIT_NO_ROWS - g_next_row)
    return CULPRIT_NO_ROWS;
  uint32_t base = g_next_row;
  constexpr uint32_t kTogether = CULPRIT_ROWS_TOGETHER;
  g_next_row += (unit.rows + kTogether - 1) / kTogether * kTogether;
  return base;
}

void write_rows(const culprit_access_unit &unit) {
  if (unit.row_base == CULPRIT_NO_ROWS)
    return;
  uint32_t sites = 0;
  for (uint32_t i = 0; i < unit.rows; ++i)
    sites = unit.row[i].site < sites ? sites : unit.row[i].site + 1;
  auto *first = take_copy<uint32_t>(sites); // row + 1
  for (uint32_t i = 0; i < unit.rows; ++i) {
    const culprit_row_info &info = unit.row[i];
    uint32_t number = unit.row_base + i;
    if (first && !first[info.site])
      first[info.site] = number + 1;
    Row row{info.size, info.flags, info.alignment, first ? first[info.site] - 1 : number};
    if (!row.size) {
      row.size = 1;
      row.alignment = 1;
      row.flags |= kRangesOnly;
    }
    uint64_t word;
    __builtin_memcpy(&word, &row, sizeof word);
    __atomic_store_n(reinterpret_cast<uint64_t *>(&g_rows[number]), word, __ATOMIC_RELAXED);
  }
}

void append_unit(const culprit_record_access_unit &unit) {
  run_file::Part part{&unit, sizeof unit};
  run_file::append(CULPRIT_RECORD_access_unit, &part, 1);
}

// False: it was here before.
bool enter_unit(culprit_access_unit &unit) {
  Naming naming;
  for (size_t i = 0; i < g_count; ++i)
    if (g_units[i].record.id == unit.id && g_units[i].record.rows == unit.rows) {
      unit.row_base = g_units[i].record.row_base;
      return false;
    }
  if (g_count == kMaxUnits) {
    unit.row_base = CULPRIT_NO_ROWS;
    return true;
  }
  unit.row_base = take_rows(unit);
  write_rows(unit);
  Unit &entry = g_units[g_count];
  copy_unit(entry, unit);
  entry.record = {unit.id, unit.row_base, unit.rows};
  ++g_count;
  append_unit(entry.record);
  return true;
}

// In .data and in .bss our own variables lie in front of the program's (it is linked last). What
// runs backwards out of the first of those comes upon ours, where the program never writes. `ours`:
// one of them.
void name_below(const culprit_access_unit &unit, uintptr_t ours) {
  constexpr uintptr_t kSection = uintptr_t{1} << 26; // a larger distance is no neighbourhood
  constexpr uintptr_t kBelow = 1024;                 // an index goes astray by some elements
  uintptr_t first = UINTPTR_MAX;
  for (uint32_t i = 0; i < unit.globals; ++i) {
    auto address = reinterpret_cast<uintptr_t>(unit.global[i].address);
    if (unit.global[i].size && address > ours && address < first)
      first = address;
  }
  if (first - ours > kSection)
    return;
  uintptr_t from = first - ours > kBelow ? first - kBelow : ours;
  if (uint32_t family = family_of_name(name_of_fresh_memory()))
    name_variable(from, first - from, family, /*fixed=*/false);
}

// An index below 0 first comes upon what alignment left free in front of its array. Accesses to
// what has no name are not told, so that it would go unseen by a padding's breadth.
void name_padding_below(const culprit_variable &variable, uint32_t family) {
  auto start = reinterpret_cast<uintptr_t>(variable.address);
  uintptr_t from = start;
  while (start - from < CULPRIT_GLOBAL_GAP && !name_of_byte(from - 1))
    --from;
  if (from != start)
    name_variable(from, start - from, family, /*fixed=*/false);
}

} // namespace

bool create_units() {
  g_copies = os::map_sparse(0, kCopyBytes);
  return g_copies != nullptr;
}

void register_unit(culprit_access_unit *unit) {
  enter_unit(*unit);
  uint32_t gaps = unit->globals - unit->gaps;
  for (uint32_t i = 0; i < unit->globals; ++i)
    if (unit->global[i].address && unit->global[i].size)
      i < gaps ? name_global(unit->global[i]) : name_gap(unit->global[i]);
  if (uint32_t family = family_of_name(name_of_fresh_memory()))
    for (uint32_t i = 0; i < gaps; ++i)
      if (unit->global[i].address && unit->global[i].size)
        name_padding_below(unit->global[i], family);
  if (!unit->is_main)
    return;
  name_below(*unit, reinterpret_cast<uintptr_t>(&g_count));    // .bss
  name_below(*unit, reinterpret_cast<uintptr_t>(&g_next_row)); // .data
}

void append_units_again() {
  for (size_t i = 0; i < g_count; ++i)
    append_unit(g_units[i].record);
}

SiteLayout layout_of_site(uint32_t site) {
  for (size_t i = 0; i < g_count; ++i) {
    const Unit &unit = g_units[i];
    uint32_t number = site - unit.site_base;
    if (!unit.site_base || number >= unit.site_count || !unit.site_layout[number])
      continue;
    uint32_t layout = unit.site_layout[number];
    if (layout <= unit.layout_count && unit.layouts[layout - 1].size)
      return {&unit.layouts[layout - 1], layout, unit.record.id};
  }
  return {};
}

const Layout *layout_of_unit(const culprit_access_unit &unit, uint32_t number) {
  for (size_t i = 0; number && i < g_count; ++i)
    if (g_units[i].record.id == unit.id && number <= g_units[i].layout_count)
      return g_units[i].layouts[number - 1].size ? &g_units[i].layouts[number - 1] : nullptr;
  return nullptr;
}

} // namespace culprit::access
