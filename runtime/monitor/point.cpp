// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See point.h. One lock; who does not get it goes on: another thread is making the point, or a
// signal handler interrupted one.
#include "runtime/monitor/point.h"

#include "runtime/access/periods.h"
#include "runtime/access/state.h"
#include "runtime/monitor/blame.h"
#include "runtime/monitor/cards.h"
#include "runtime/monitor/components.h"
#include "runtime/monitor/graph.h"
#include "runtime/monitor/histograms.h"
#include "runtime/monitor/neighbourhoods.h"
#include "runtime/monitor/pacing.h"
#include "runtime/monitor/stacks.h"
#include "runtime/monitor/state.h"
#include "runtime/monitor/units.h"
#include "runtime/monitor/unseen_writes.h"
#include "runtime/monitor/verify.h"
#include "runtime/os/process.h"
#include "runtime/os/thread_count.h"
#include "runtime/run_file/writer.h"
#include "runtime/start/options.h"

namespace culprit::monitor {
namespace {

os::Lock g_lock;
uint32_t g_index;
int g_finished_pid;
uint64_t g_components_work; // when they were counted last
bool g_blame_written;

void append_point(const culprit_record_point &point) {
  run_file::Part part{&point, sizeof point};
  run_file::append(CULPRIT_RECORD_point, &part, 1);
}

void add_components(culprit_record_point &point) {
  if (!start::options().components ||
      (g_components_work && point.work - g_components_work < work_for_components()))
    return;
  Components components;
  if (!count_components(components))
    return;
  g_components_work = point.work;
  point.flags |= CULPRIT_POINT_COMPONENTS;
  point.components = components.count;
  point.largest_component = components.largest;
  point.strong_components = components.strong_count;
  point.largest_strong_component = components.largest_strong;
}

void add_blame(bool last) {
  uint64_t wanted = start::options().blame;
  if (g_blame_written || !(last || wanted == g_index))
    return;
  g_blame_written = true;
  append_blame(g_index);
  append_neighbourhoods(g_index);
}

// Without a graph a point is only a mark on the run's time, by which periods are measured.
bool pass_point() {
  __atomic_store_n(&g_pending_cards, 0, __ATOMIC_RELAXED);
  point_was_made({});
  access::point_passed(++g_index, work_totals().work);
  return true;
}

bool make_point_locked(uintptr_t frame, bool last) {
  if (!has_heap_graph())
    return pass_point();
  uint32_t threads = start::options().verify ? os::thread_count() : 0;
  UpdateCost cost{};
  if (!update_graph(cost))
    return false;
  point_was_made(cost);
  culprit_record_point point{};
  point.index = ++g_index;
  Totals totals = work_totals();
  point.work = totals.work;
  point.entries = totals.entries;
  point.allocated_bytes = totals.allocated_bytes;
  GraphTotals graph = graph_totals();
  point.live_objects = graph.live_objects;
  point.live_bytes = graph.live_bytes;
  point.edges = graph.edges;
  __builtin_memcpy(point.cells, g_cells, sizeof point.cells);
  point.scanned_words = cost.scan.words;
  if (is_unmodified())
    point.flags |= cost.read_all                                        ? CULPRIT_POINT_READ_ALL
                   : unseen_writes_known_by() == os::WrittenBy::scanned ? CULPRIT_POINT_SCANNED
                                                                        : CULPRIT_POINT_SOFT_DIRTY;
  add_components(point);
  append_point(point);
  append_changed_rows(g_index);
  watch_ranges(g_index, frame);
  add_blame(last);
  if (start::options().verify)
    verify_graph(g_index, threads);
  access::point_passed(g_index, point.work);
  return true;
}

} // namespace

bool make_point() {
  if (!g_lock.try_acquire())
    return false;
  bool made = make_point_locked(0, false);
  g_lock.release();
  return made;
}

void work_done(uintptr_t frame) {
  bool due = settle();
  if (!run_file::is_open() || !(due || __atomic_load_n(&g_stacks_wanted, __ATOMIC_RELAXED)) ||
      !g_lock.try_acquire())
    return;
  if (g_stacks_wanted)
    keep_stack(frame);
  if (due)
    make_point_locked(frame, false);
  g_lock.release();
}

void finish() {
  if (!g_on)
    return;
  int pid = os::process_id();
  if (!run_file::is_own_file(pid) ||
      __atomic_exchange_n(&g_finished_pid, pid, __ATOMIC_ACQ_REL) == pid)
    return;
  if (!g_lock.try_acquire())
    return;
  // A program that takes its large heap down before it ends leaves the most expensive point of all,
  // of the empty heap: not in debt.
  bool made = has_new_work() && has_heap_graph() && !is_in_debt() && make_point_locked(0, true);
  if (!made && has_heap_graph())
    add_blame(true);
  g_lock.release();
  access::finish();
}

uint32_t point_index() { return __atomic_load_n(&g_index, __ATOMIC_RELAXED); }

void lock_points() { g_lock.acquire(); }
void unlock_points() { g_lock.release(); }

void tell_callers_again() {
  if (!g_on)
    return;
  if (is_unmodified())
    append_native_sites_again();
  append_contexts_again();
}

void reset_points_in_child() {
  g_lock.reset();
  if (!g_on || !run_file::is_open())
    return;
  g_index = 0;
  append_units_again();
  tell_callers_again();
  if (has_heap_graph())
    note_all_rows();
  access::restart_in_child();
}

} // namespace culprit::monitor
