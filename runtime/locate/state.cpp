// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See state.h.
#include "runtime/locate/state.h"

#include "runtime/heap/allocate.h"
#include "runtime/locate/blocks.h"
#include "runtime/locate/counted_place.h"
#include "runtime/locate/crash.h"
#include "runtime/locate/data_stack.h"
#include "runtime/locate/endless.h"
#include "runtime/locate/extents.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/layout.h"
#include "runtime/locate/left_frames.h"
#include "runtime/locate/signals.h"
#include "runtime/locate/stains.h"
#include "runtime/locate/targets.h"
#include "runtime/locate/threads/scheduler.h"
#include "runtime/locate/unwritten.h"
#include "runtime/locate/values.h"
#include "runtime/os/process.h"
#include "runtime/start/options.h"

namespace culprit::locate {

bool g_on;

namespace {

constexpr int kUnusable = 2;
os::Lock g_lock;
int g_finished_pid;

} // namespace

void stop_unusable(const char *message) {
  os::write_error(message);
  os::end_process(kUnusable);
}

void make() {
  os::Hold hold(g_lock);
  if (g_on)
    return;
  if (!create_shadow() || !create_stains())
    stop_unusable("culprit: the kernel refuses the 32 TiB of address space that a locate flavour "
                  "needs (ulimit -v, vm.overcommit_memory)\n");
  if (!heap::ensure_arena() || !create_blocks() || !create_data_stack())
    stop_unusable("culprit: address-space limit too small for a locate flavour\n");
  expect_dense(heap::g_arena.base, heap::g_arena.size);
  g_contents = contents_of(start::options().contents);
  if (start::options().contents == CULPRIT_CONTENTS_LOCALS)
    fill_data_stack(kFresh);
  g_unwritten = start::options().origins ? CULPRIT_ID_UNWRITTEN : 0;
  install_signal_handlers();
  heap::g_fast_limit = 0;
  heap::g_arena.freed_fast = 0;
  __atomic_store_n(&g_on, true, __ATOMIC_RELEASE);
}

void register_unit(const culprit_locate_unit &unit) {
  read_targets(start::options().targets.text, unit);
  if (start::options().armed || start::options().origins)
    __culprit_armed = 1;
  limit_time(start::options().endless);
  if (uint64_t place = start::options().counted; place && place <= unit.places)
    count_place(static_cast<uint32_t>(place));
  learn_globals(unit);
  for (uint64_t i = 0; i < unit.global_count; ++i) {
    const culprit_global_definition &global = unit.globals[i];
    if (!global.definition || global.definition > unit.definitions || global.size > kLargestStamped)
      continue;
    Id id = global.definition;
    if (unit.attention && unit.attention[global.definition])
      id = fired(id | CULPRIT_ID_CORRUPT);
    define(reinterpret_cast<uintptr_t>(global.address), global.size, id);
  }
}

void finish() {
  if (!g_on)
    return;
  int pid = os::process_id();
  if (__atomic_exchange_n(&g_finished_pid, pid, __ATOMIC_ACQ_REL) == pid)
    return;
  if (VariableDamage found = check_fences_at_exit(); found.damage.address)
    tell_damage(found);
  if (VariableDamage found = check_left_frames(); found.damage.address)
    tell_damage(found);
  check_blocks_at_exit();
}

void lock() {
  threads::lock();
  lock_blocks();
}

void unlock() {
  unlock_blocks();
  threads::unlock();
}

void reset_lock() {
  reset_blocks_lock();
  threads::reset_in_child();
}

} // namespace culprit::locate
