// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation contexts: the chain of call sites the instrumented code keeps (abi/monitor.h) gets a
// small dense number on first sight, and a record that says so. Number 0 is unseen native code.
// Lookup takes no lock: a hash table in levels, each four times four as large as the one before; an
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

struct LastContext {
  uint64_t chain;
  uint32_t number;
};
extern __thread LastContext g_last_context __attribute__((tls_model("initial-exec")));

// Of the code that runs now.
inline uint32_t current_context() {
  uint64_t chain = __culprit_context;
  if (chain == g_last_context.chain)
    return g_last_context.number;
  uint32_t number = find_context(chain);
  g_last_context = {chain, number};
  return number;
}

uint32_t context_count(); // numbers given so far, 0 included

// In the child of a fork: all of them, into the new file.
void append_contexts_again();

} // namespace culprit::monitor
