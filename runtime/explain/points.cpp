// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See points.h. Only the thread that registered the unit is looked at: the order of the others is
// not the same in two runs.
#include "runtime/explain/points.h"

#include "runtime/explain/allocations.h"
#include "runtime/explain/file.h"
#include "runtime/explain/flavour.h"
#include "runtime/explain/frames.h"
#include "runtime/explain/regions.h"
#include "runtime/explain/rooms.h"
#include "runtime/explain/sized_locals.h"
#include "runtime/explain/tests.h"
#include "runtime/heap/allocate.h"
#include "runtime/os/process.h"
#include "runtime/start/options.h"

namespace culprit::explain {

bool g_on;
const culprit_explain_unit *g_unit;

namespace {

LastPoint g_own_last;
File g_trace;
uint64_t g_left; // events that may still be written
bool g_full;     // as many as there may be have been
int g_pid;
thread_local bool t_watched;

void start_trace(const char *path) {
  uint64_t limit = start::options().trace_limit;
  if (path[0] && g_trace.create(path, limit * sizeof(culprit_trace_event)))
    g_left = limit;
  g_full = false;
}

culprit_trace_event *next_event() {
  if (!g_left)
    return nullptr;
  if (!--g_left)
    g_full = g_pid == os::process_id();
  return static_cast<culprit_trace_event *>(g_trace.append(sizeof(culprit_trace_event)));
}

} // namespace

LastPoint *g_last = &g_own_last;

void begin(const culprit_explain_unit &unit) {
  if (g_on || !heap::ensure_arena())
    return; // shared objects have no unit of their own so far
  g_unit = &unit;
  if (!create_regions())
    heap::stop_with("culprit: address-space limit too small for an explain flavour\n");
  g_pid = os::process_id();
  start_trace(start::options().trace.text);
  read_rooms(start::options().snapshot.text);
  begin_allocations();
  t_watched = true;
  heap::g_fast_limit = 0; // every block is to be noted
  g_on = true;
}

void reach(culprit_frame &frame, uint32_t site) {
  frame.site = site;
  frame.happened = 0;
  if (!t_watched)
    return;
  g_last->site = site;
  if (g_full) // nobody looks at the rest, and there may be no end to it
    os::end_process(0);
  uint64_t stop = start::options().stop;
  if (!g_left && !stop)
    return;
  uint64_t index = index_at(frame, site);
  if (g_left)
    if (culprit_trace_event *event = next_event())
      *event = {CULPRIT_TRACE_POINT, 0, 0, site, index, 0, 0};
  if (index == stop && stop && g_pid == os::process_id())
    stop_here(site);
}

static bool is_switched(const culprit_frame &frame, uint32_t site) {
  uint64_t switched = start::options().switched;
  return switched && t_watched && index_at(frame, site) == switched;
}

uint32_t decide(const culprit_frame &frame, uint32_t site, uint32_t taken) {
  return is_switched(frame, site) ? !taken : taken;
}

uint64_t choose(const culprit_frame &frame, uint32_t site, uint64_t value, const uint64_t *ways,
                uint32_t count) {
  uint64_t way = start::options().switched_way;
  return way < count && is_switched(frame, site) ? ways[way] : value;
}

void access(culprit_trace_kind kind, uintptr_t address, uint64_t size) {
  if (!g_left || !t_watched)
    return;
  Region region = region_of(address);
  auto bytes = static_cast<uint16_t>(size < UINT16_MAX ? size : UINT16_MAX);
  if (culprit_trace_event *event = next_event())
    *event = {static_cast<uint8_t>(kind),
              static_cast<uint8_t>(region.kind),
              bytes,
              0,
              region.index,
              region.kind ? address - region.address : 0,
              address};
}

// Zeroed, as all variables are at entry. There is no room behind it: one that is larger in the
// other run cannot be taken over.
void note_sized(culprit_frame &frame, void *address, uint64_t size, uint32_t site, uint32_t name) {
  __builtin_memset(address, 0, size);
  if (t_watched)
    add_sized_local({&frame, reinterpret_cast<uintptr_t>(address), size, size,
                     culprit_index_fold(index_at(frame, site), CULPRIT_INDEX_SIZED), name});
}

void restore_sized(const culprit_frame &frame, uintptr_t address) {
  if (t_watched)
    drop_sized_locals(frame, address);
}

void come_back_sized(const culprit_frame &frame) {
  if (t_watched)
    drop_sized_locals_of(frame, false);
}

void leave_sized(const culprit_frame &frame) {
  if (t_watched)
    drop_sized_locals_of(frame, true);
}

void trace_test() { start_trace(start::options().test_trace.text); }

void forget_trace() {
  g_left = 0;
  g_full = false;
  forget_allocations();
}

void finish() {
  finish_allocations();
  if (g_pid == os::process_id())
    g_trace.finish();
}

} // namespace culprit::explain
