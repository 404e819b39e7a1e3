// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of the run file that have the call stack of who writes them behind their fixed part
// (abi/run_file.h): `frames` of the fixed part is how many return addresses there are.
#pragma once

#include "runtime/run_file/writer.h"
#include "runtime/unwind/unwind.h"

#include <stddef.h>
#include <stdint.h>

namespace culprit::locate {

// For tests.
extern void (*g_stack_record_observer)(culprit_record_kind kind, const void *record);

// From the frame of the function on that this stands in.
template <typename Record>
[[gnu::always_inline]] inline void append_with_stack(culprit_record_kind kind, Record record) {
  constexpr size_t kDepth = 64;
  uintptr_t frames[kDepth];
  record.frames = unwind::capture(frames, kDepth);
  if (g_stack_record_observer)
    g_stack_record_observer(kind, &record);
  run_file::Part parts[] = {{&record, sizeof record}, {frames, record.frames * sizeof frames[0]}};
  run_file::append(kind, parts, 2);
}

} // namespace culprit::locate
