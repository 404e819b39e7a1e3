// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See astray.h.
#include "runtime/locate/astray.h"

#include "abi/run_file.h"
#include "runtime/locate/extents.h"
#include "runtime/run_file/writer.h"
#include "runtime/unwind/unwind.h"

namespace culprit::locate {
namespace {

constexpr size_t kDepth = 64;
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

[[gnu::noinline]] void note_astray(uintptr_t address, size_t size, Id id) {
  id &= ~CULPRIT_ID_CORRUPT;
  if (room_at(address) >= size || g_count == kMost || is_told(id))
    return;
  g_told[g_count++] = id;
  uintptr_t frames[kDepth];
  size_t depth = unwind::capture(frames, kDepth);
  culprit_record_astray record{id, address, depth};
  run_file::Part parts[] = {{&record, sizeof record}, {frames, depth * sizeof frames[0]}};
  run_file::append(CULPRIT_RECORD_astray, parts, 2);
}

} // namespace culprit::locate
