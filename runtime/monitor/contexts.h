// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation contexts: the chain of call sites the instrumented code keeps (abi/monitor.h) gets a
// small dense number on first sight, and a record that says so. Number 0 is unseen native code.
// Lookup takes no lock: a hash table in levels, each sixteen times as large as the one before; an
// entry never moves. Two threads that meet a chain first at the same moment may give it two
// numbers: readers of run files add up by chain.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {
extern __thread int64_t __culprit_countdown
    __attribute__((tls_model("initial-exec"), visibility("default")));
extern __thread uint64_t __culprit_context
    __attribute__((tls_model("initial-exec"), visibility("default")));
}

namespace culprit::monitor {

constexpr uint32_t kContextBits = 23;
constexpr uint32_t kMaxContexts = 1u << kContextBits;

bool create_contexts();

uint32_t find_context(uint64_t chain);

// An entry is claimed by its number and then named by its chain: a signal handler that comes
// between the two finds an entry that is nobody's yet and passes on, instead of waiting for itself.
struct ContextEntry {
  uint64_t chain;
  uint32_t number;
  uint32_t padding;
};
constexpr unsigned kFirstContextBits = 14;
extern ContextEntry *g_first_contexts; // the first level of the table

// The low bits are used: they must depend on the oldest site, in the chain's highest bits, too.
inline uint64_t mix_chain(uint64_t chain) {
  chain *= 0x9e3779b97f4a7c15;
  return chain >> 36 ^ chain >> 50;
}

// Of the code that runs now.
inline uint32_t current_context() { return find_context(__culprit_context); }

// The same if it is found at its first place. No search through a cache of the last chain: a
// recursive builder has some dozen chains and changes between them all the time.
inline bool known_context(uint32_t &number) {
  uint64_t chain = __culprit_context;
  const ContextEntry &entry =
      g_first_contexts[mix_chain(chain) & ((uint64_t{1} << kFirstContextBits) - 1)];
  bool known = __atomic_load_n(&entry.chain, __ATOMIC_ACQUIRE) == chain;
  number = __atomic_load_n(&entry.number, __ATOMIC_RELAXED);
  return known;
}

uint64_t chain_of(uint32_t number);
uint32_t context_count(); // numbers given so far, 0 included

// In the child of a fork: all of them, into the new file.
void append_contexts_again();

} // namespace culprit::monitor
