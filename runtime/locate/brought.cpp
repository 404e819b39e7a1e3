// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See brought.h.
#include "runtime/locate/brought.h"

#include "abi/run_file.h"
#include "runtime/locate/stack_record.h"
#include "runtime/locate/values.h"

namespace culprit::locate {

uintptr_t g_watched;

namespace {

constexpr size_t kMost = 256; // what is written all the time is no pointer that was run over
size_t g_count;

} // namespace

void watch(uintptr_t address) { g_watched = address & CULPRIT_SHADOW_MASK; }

[[gnu::noinline]] void note_brought(uintptr_t address, size_t size) {
  if (!covers_watched(address, size) || g_count == kMost)
    return;
  ++g_count;
  append_with_stack(CULPRIT_RECORD_brought, culprit_record_brought{__culprit_clock, g_watched, 0});
}

} // namespace culprit::locate
