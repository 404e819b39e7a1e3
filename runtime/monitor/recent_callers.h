// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts of allocations that came from the same calls before: a thread allocates again and again
// in the same few ways, and walking the stack frame by frame, each step waiting for the one before,
// takes longer than malloc itself.
//
// Where code keeps no frame pointer, the distance from one return address to the next depends on
// the code alone. So the distances of the last walk from a call are tried first: if the return
// addresses found there are those of an earlier walk that had these distances, it would take the
// same way again, and its context is the answer. Anything else is walked.
//
// Per thread; an entry is valid when its first address is set, last: a signal handler finds whole
// ones or none.
#pragma once

#include "abi/monitor.h"
#include "runtime/unwind/walk.h"

namespace culprit::monitor {

struct Callers {
  uintptr_t addresses[CULPRIT_CONTEXT_DEPTH]; // innermost first
  uint32_t
      distances[CULPRIT_CONTEXT_DEPTH - 1]; // of the others, from the stack pointer of the first
};

struct Way { // of the last walk from a call
  uintptr_t address;
  uint32_t distances[CULPRIT_CONTEXT_DEPTH - 1];
};
struct KnownCallers {
  Callers callers;
  uint32_t context;
};
constexpr unsigned kWayBits = 5;
constexpr unsigned kSetBits = 7;
constexpr size_t kInSet = 2; // a recursive builder has eight chains, and two of them in one place
                             // would drive each other out
struct Recent {
  uint64_t generation;
  Way ways[size_t{1} << kWayBits];
  KnownCallers known[size_t{1} << kSetBits][kInSet];
};
extern __thread Recent g_recent __attribute__((tls_model("initial-exec")));
extern uint64_t g_callers_generation;

constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
inline Way &way_from(uintptr_t address) { return g_recent.ways[address * kMix >> (64 - kWayBits)]; }
inline KnownCallers *set_of(const uintptr_t *a) {
  return g_recent.known[((a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7) * kMix) >> (64 - kSetBits)];
}

// The context of these callers if they are known; 0: walk.
[[gnu::always_inline]] inline uint32_t recall_context(const unwind::Walk &walk) {
  static_assert(CULPRIT_CONTEXT_DEPTH == 4, "the loops below are written out");
  const Way &way = way_from(walk.pc);
  if (way.address != walk.pc ||
      g_recent.generation != __atomic_load_n(&g_callers_generation, __ATOMIC_RELAXED) ||
      walk.stack + way.distances[2] + sizeof(uintptr_t) > walk.high) [[unlikely]]
    return 0;
  const auto word = [&](uint32_t distance) {
    return __atomic_load_n(reinterpret_cast<const uintptr_t *>(walk.stack + distance),
                           __ATOMIC_RELAXED);
  };
  const uintptr_t found[] = {walk.pc, word(way.distances[0]), word(way.distances[1]),
                             word(way.distances[2])};
  const KnownCallers *set = set_of(found);
  for (size_t i = 0; i < kInSet; ++i) {
    const Callers &callers = set[i].callers;
    const uintptr_t different =
        (callers.addresses[0] ^ found[0]) | (callers.addresses[1] ^ found[1]) |
        (callers.addresses[2] ^ found[2]) | (callers.addresses[3] ^ found[3]) |
        (callers.distances[0] ^ way.distances[0]) | (callers.distances[1] ^ way.distances[1]) |
        (callers.distances[2] ^ way.distances[2]);
    if (!different)
      return set[i].context;
  }
  return 0;
}

// After a walk of full depth in which no frame pointer was needed.
void remember_context(const Callers &callers, uint32_t context);
// Code may have been unloaded.
void forget_callers();

} // namespace culprit::monitor
