// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See sized_locals.h.
#include "runtime/explain/sized_locals.h"

#include "runtime/os/memory.h"

namespace culprit::explain {

size_t g_sized_locals;

namespace {
constexpr size_t kMost = size_t{1} << 24;
SizedLocal *g_stack;
} // namespace

void add_sized_local(const SizedLocal &local) {
  if ((!g_stack && !os::map_table(g_stack, kMost)) || g_sized_locals == kMost)
    return; // it is no region then
  g_stack[g_sized_locals++] = local;
}

void drop_sized_locals(const culprit_frame &frame, uintptr_t below) {
  while (g_sized_locals && g_stack[g_sized_locals - 1].frame == &frame &&
         g_stack[g_sized_locals - 1].start < below)
    --g_sized_locals;
}

void drop_sized_locals_of(const culprit_frame &frame, bool is_left) {
  while (g_sized_locals && (g_stack[g_sized_locals - 1].frame < &frame ||
                            (is_left && g_stack[g_sized_locals - 1].frame == &frame)))
    --g_sized_locals;
}

SizedLocal &sized_local(size_t number) { return g_stack[number]; }

} // namespace culprit::explain
