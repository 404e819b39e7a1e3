// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See held_signals.h.
#include "runtime/os/held_signals.h"

#include "runtime/os/process.h"

namespace culprit::os {
namespace {

__thread uint32_t g_depth __attribute__((tls_model("initial-exec")));
__thread uint64_t g_mask __attribute__((tls_model("initial-exec"))); // that was, while depth > 0

void leave() {
  uint64_t mask = g_mask;
  g_depth = 0;
  restore_signals(mask); // a handler may run at once, and hold them again
}

} // namespace

// A handler before they are blocked leaves the depth as it found it.
void hold_signals() {
  if (!g_depth)
    g_mask = block_signals();
  ++g_depth;
}

void let_signals() {
  if (g_depth > 1)
    --g_depth;
  else if (g_depth)
    leave();
}

void let_all_signals() {
  if (g_depth)
    leave();
}

} // namespace culprit::os
