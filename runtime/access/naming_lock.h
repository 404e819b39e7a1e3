// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lock under which names, kinds and exact granules are made. Rare: once per name, kind or
// variable. Signals wait meanwhile: a handler of the target may itself call a function whose locals
// are to be named, and would wait for the code it interrupted.
#pragma once

#include "runtime/os/lock.h"
#include "runtime/os/process.h"

namespace culprit::access {

extern os::Lock g_naming_lock;

struct Naming {
  Naming() : signals(os::block_signals()) { g_naming_lock.acquire(); }
  ~Naming() {
    g_naming_lock.release();
    os::restore_signals(signals);
  }
  Naming(const Naming &) = delete;
  Naming &operator=(const Naming &) = delete;
  uint64_t signals;
};

} // namespace culprit::access
