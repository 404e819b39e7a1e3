// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See state.h.
#include "runtime/monitor/state.h"

#include "runtime/access/state.h"
#include "runtime/heap/allocate.h"
#include "runtime/monitor/barrier.h"
#include "runtime/monitor/cards.h"
#include "runtime/monitor/graph.h"
#include "runtime/monitor/pacing.h"
#include "runtime/monitor/stacks.h"
#include "runtime/monitor/unseen_writes.h"
#include "runtime/monitor/vertexes.h"
#include "runtime/os/alone.h"
#include "runtime/os/process.h"
#include "runtime/start/options.h"

namespace culprit::monitor {

bool g_on;
unsigned g_features;
uint32_t g_drop_every;
uint32_t g_drop_count;

namespace {

constexpr uint32_t kDropEvery = 16; // marks, with verify=2
os::Lock g_lock;
bool g_barrier;

void create() {
  unsigned features = &__culprit_features ? __culprit_features : CULPRIT_FEATURE_HEAP;
  if (features & CULPRIT_FEATURE_ACCESS || start::options().gaps)
    features |= kGaps;
  if (&__culprit_is_unmodified)
    features |= kUnmodified;
  g_features = features;
  bool heap_graph = features & CULPRIT_FEATURE_HEAP;
  // Cards are there in every flavour: what marks one need not ask.
  if (!heap::ensure_arena() || !create_cards() || !create_vertexes() || !create_contexts() ||
      (is_unmodified() && !create_native_sites()) || (heap_graph && !create_graph()) ||
      (has_access_sets() && !access::create()))
    heap::stop_with("culprit: address-space limit too small for the monitor flavour\n");
  g_barrier = os::register_barrier();
  create_pacing();
  if (is_unmodified())
    watch_unseen_writes();
  create_stacks();
  g_drop_every = start::options().verify == 2 ? kDropEvery : 0;
  heap::g_fast_limit = 0;
}

} // namespace

void make() {
  os::Hold hold(g_lock);
  if (g_on)
    return;
  create();
  __atomic_store_n(&g_on, true, __ATOMIC_RELEASE);
}

bool has_threads() {
  if (os::knows_threads())
    return !os::is_alone();
  return heap::threads_seen() > 1;
}

void see_all_stores() {
  if (g_barrier)
    os::barrier_on_all_threads();
  else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

} // namespace culprit::monitor
