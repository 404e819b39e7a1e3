// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See recent_callers.h.
#include "runtime/monitor/recent_callers.h"

namespace culprit::monitor {
namespace {

static_assert(CULPRIT_CONTEXT_DEPTH == 4, "the loops below are written out");

struct Way { // of the last walk from a call
  uintptr_t address;
  uint32_t distances[3];
};
struct Known {
  Callers callers;
  uint32_t context;
};
constexpr size_t kWays = 32;
constexpr size_t kKnown = 128;
struct Recent {
  uint64_t generation;
  Way ways[kWays];
  Known known[kKnown];
};
__thread Recent g_recent __attribute__((tls_model("initial-exec")));
uint64_t g_generation;

constexpr uint64_t kMix = 0x9e3779b97f4a7c15;

Way &way_from(uintptr_t address) { return g_recent.ways[address * kMix >> 59]; }
Known &place_of(const uintptr_t *a) {
  return g_recent.known[(a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7) * kMix >> 57];
}
static_assert(kWays == size_t{1} << (64 - 59) && kKnown == size_t{1} << (64 - 57));

uintptr_t word_at(uintptr_t address) {
  return __atomic_load_n(reinterpret_cast<const uintptr_t *>(address), __ATOMIC_RELAXED);
}

} // namespace

uint32_t recall_context(const unwind::Walk &walk) {
  const Way &way = way_from(walk.pc);
  if (way.address != walk.pc ||
      g_recent.generation != __atomic_load_n(&g_generation, __ATOMIC_RELAXED) ||
      walk.stack + way.distances[2] + sizeof(uintptr_t) > walk.high)
    return 0;
  const uintptr_t found[] = {walk.pc, word_at(walk.stack + way.distances[0]),
                             word_at(walk.stack + way.distances[1]),
                             word_at(walk.stack + way.distances[2])};
  const Known &known = place_of(found);
  const Callers &callers = known.callers;
  const uintptr_t different =
      (callers.addresses[0] ^ found[0]) | (callers.addresses[1] ^ found[1]) |
      (callers.addresses[2] ^ found[2]) | (callers.addresses[3] ^ found[3]) |
      (callers.distances[0] ^ way.distances[0]) | (callers.distances[1] ^ way.distances[1]) |
      (callers.distances[2] ^ way.distances[2]);
  return different ? 0 : known.context;
}

void remember_context(const Callers &callers, uint32_t context) {
  const uint64_t now = __atomic_load_n(&g_generation, __ATOMIC_RELAXED);
  if (g_recent.generation != now) {
    for (Way &way : g_recent.ways)
      way.address = 0;
    for (Known &known : g_recent.known)
      known.callers.addresses[0] = 0;
    g_recent.generation = now;
  }
  Way &way = way_from(callers.addresses[0]);
  way.address = 0;
  Known &known = place_of(callers.addresses);
  known.callers.addresses[0] = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __builtin_memcpy(way.distances, callers.distances, sizeof way.distances);
  __builtin_memcpy(known.callers.addresses + 1, callers.addresses + 1, 3 * sizeof(uintptr_t));
  __builtin_memcpy(known.callers.distances, callers.distances, sizeof callers.distances);
  known.context = context;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  known.callers.addresses[0] = callers.addresses[0];
  way.address = callers.addresses[0];
}

void forget_callers() { __atomic_fetch_add(&g_generation, 1, __ATOMIC_RELAXED); }

} // namespace culprit::monitor
