// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the process has one thread, as the C library knows it: it takes that back before it
// starts another one. A C library that does not say (glibc before 2.32): unknown.
#pragma once

extern "C" __attribute__((weak,
                          visibility("default"))) char __libc_single_threaded; // NOLINT: its name

namespace culprit::os {

inline bool knows_threads() { return &__libc_single_threaded; }
inline bool is_alone() { return knows_threads() && __libc_single_threaded; }

} // namespace culprit::os
