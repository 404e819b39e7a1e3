// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See switch.h. When there are more bits than the list holds, switching on clears all rows: their
// pairs are known, so it costs a look each.
#include "runtime/access/switch.h"

#include "runtime/access/naming_lock.h"
#include "runtime/os/memory.h"

namespace culprit::access {

bool g_switched_off;

namespace {

// Row, tag and start in one word; 0: not yet written.
using Bit = uint64_t;
constexpr size_t kMost = size_t{1} << 20;
Bit *g_list;
size_t g_count;
uint32_t g_switches; // how often

} // namespace

void switch_off() {
  Naming naming;
  if (!g_list)
    g_list = reinterpret_cast<Bit *>(os::map_sparse(0, kMost * sizeof(Bit)));
  if (!g_list)
    return; // stays on: slower than wanted, and tells more
  __atomic_store_n(&g_switched_off, true, __ATOMIC_RELEASE);
}

void switch_on() {
  Naming naming;
  if (!g_switched_off)
    return;
  __atomic_store_n(&g_switched_off, false, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&g_switches, 1, __ATOMIC_SEQ_CST);
  size_t count = __atomic_exchange_n(&g_count, 0, __ATOMIC_SEQ_CST);
  if (count > kMost) {
    clear_rows();
    return;
  }
  for (size_t i = 0; i < count; ++i)
    if (Bit bit = __atomic_exchange_n(&g_list[i], 0, __ATOMIC_RELAXED))
      remove_bits(static_cast<uint32_t>(bit >> 32), static_cast<Tag>(bit >> 16),
                  static_cast<Starts>(bit));
}

void pass_unseen(uint32_t row, Tag tag, Starts start) {
  uint32_t switches = __atomic_load_n(&g_switches, __ATOMIC_SEQ_CST);
  if (!is_switched_off())
    return; // the next access of this kind is seen
  size_t at = __atomic_fetch_add(&g_count, 1, __ATOMIC_SEQ_CST);
  if (at < kMost)
    __atomic_store_n(&g_list[at], uint64_t{row} << 32 | uint64_t{tag} << 16 | start,
                     __ATOMIC_RELAXED);
  add_bits(row, tag, start);
  // Switched on meanwhile: the list may have been taken before this entry was in it.
  if (__atomic_load_n(&g_switches, __ATOMIC_SEQ_CST) != switches)
    remove_bits(row, tag, start);
}

} // namespace culprit::access
