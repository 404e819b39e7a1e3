// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is this a locate flavour (abi/locate.h)? The executable says so by the features it defines, so
// the answer is there before any code of ours ran. What the flavour needs is made on first use: by
// the first allocation (the dynamic loader's) or at start-up, always before instrumented code.
#pragma once

#include "runtime/start/features.h"

namespace culprit::locate {

inline bool is_locate() {
  return &__culprit_features && __culprit_features & CULPRIT_FEATURE_LOCATE;
}

extern bool g_on; // everything is made

void make();

// True in a locate flavour; makes what it needs if that has not happened.
inline bool ensure() {
  if (!is_locate()) [[likely]]
    return false;
  if (!__atomic_load_n(&g_on, __ATOMIC_ACQUIRE))
    make();
  return true;
}

// At exit and _exit: what was overwritten and nobody noticed.
void finish();

void lock();
void unlock();
void reset_lock(); // in the child of a fork

} // namespace culprit::locate
