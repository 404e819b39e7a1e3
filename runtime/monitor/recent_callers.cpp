// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See recent_callers.h.
#include "runtime/monitor/recent_callers.h"

namespace culprit::monitor {

__thread Recent g_recent __attribute__((tls_model("initial-exec")));
uint64_t g_callers_generation;

namespace {

void forget_own() {
  for (Way &way : g_recent.ways)
    way.address = 0;
  for (KnownCallers(&set)[kInSet] : g_recent.known)
    for (KnownCallers &known : set)
      known.callers.addresses[0] = 0;
}

} // namespace

void remember_context(const Callers &callers, uint32_t context) {
  const uint64_t now = __atomic_load_n(&g_callers_generation, __ATOMIC_RELAXED);
  if (g_recent.generation != now) {
    forget_own();
    g_recent.generation = now;
  }
  Way &way = way_from(callers.addresses[0]);
  KnownCallers *set = set_of(callers.addresses);
  const uintptr_t second = set[0].callers.addresses[0];
  way.address = 0;
  set[0].callers.addresses[0] = 0;
  set[1].callers.addresses[0] = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __builtin_memcpy(way.distances, callers.distances, sizeof way.distances);
  set[1] = set[0];
  set[0].callers = callers;
  set[0].callers.addresses[0] = 0;
  set[0].context = context;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  set[0].callers.addresses[0] = callers.addresses[0];
  set[1].callers.addresses[0] = second;
  way.address = callers.addresses[0];
}

void forget_callers() { __atomic_fetch_add(&g_callers_generation, 1, __ATOMIC_RELAXED); }

} // namespace culprit::monitor
