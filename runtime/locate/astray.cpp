// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See astray.h.
#include "runtime/locate/astray.h"

#include "abi/run_file.h"
#include "runtime/locate/extents.h"
#include "runtime/locate/stack_record.h"

namespace culprit::locate {

void (*g_stack_record_observer)(culprit_record_kind kind, const void *record);

namespace {

constexpr size_t kMost = 64; // more are not asked for: each is one crash

Id g_told[kMost];
size_t g_count;

bool is_told(Id id) {
  for (size_t i = 0; i < g_count; ++i)
    if (g_told[i] == id)
      return true;
  return false;
}

} // namespace

[[gnu::noinline]] void note_astray(uintptr_t address, size_t size, Id id, size_t member) {
  id &= ~CULPRIT_ID_CORRUPT;
  if ((member >= size && room_at(address) >= size) || g_count == kMost || is_told(id))
    return;
  g_told[g_count++] = id;
  append_with_stack(CULPRIT_RECORD_astray, culprit_record_astray{id, address, 0});
}

} // namespace culprit::locate
