// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See units.h.
#include "runtime/monitor/units.h"

#include "runtime/os/lock.h"
#include "runtime/run_file/writer.h"

namespace culprit::monitor {
namespace {

constexpr size_t kMaxUnits = 4096; // beyond: base 0, as the units of an unmonitored program
culprit_record_unit g_units[kMaxUnits];
size_t g_count;
uint32_t g_next = 1; // 0 in a context means no site
os::Lock g_lock;

void append_unit(const culprit_record_unit &unit) {
  run_file::Part part{&unit, sizeof unit};
  run_file::append(CULPRIT_RECORD_unit, &part, 1);
}

} // namespace

void register_unit(culprit_unit *unit) {
  os::Hold hold(g_lock);
  for (size_t i = 0; i < g_count; ++i)
    if (g_units[i].id == unit->id && g_units[i].sites == unit->sites) {
      unit->base = g_units[i].base;
      return;
    }
  if (g_count == kMaxUnits)
    return;
  unit->base = g_next;
  g_next += unit->sites;
  g_units[g_count] = {unit->id, unit->base, unit->sites};
  append_unit(g_units[g_count++]);
}

void append_units_again() {
  g_lock.reset();
  for (size_t i = 0; i < g_count; ++i)
    append_unit(g_units[i]);
}

} // namespace culprit::monitor
