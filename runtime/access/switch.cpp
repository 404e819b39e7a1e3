// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See switch.h. When there are more bits than the list holds, switching on clears all rows: their
// pairs are known, so it costs a look each.
#include "runtime/access/switch.h"

#include "runtime/access/naming_lock.h"
#include "runtime/os/memory.h"

namespace culprit::access {

bool g_switched_off;

namespace {

struct Bit {
  uint32_t row;
  Tag tag;
  uint16_t cell; // 0: not yet written
};
constexpr size_t kMost = size_t{1} << 20;
Bit *g_list;
size_t g_count;

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
  size_t count = __atomic_exchange_n(&g_count, 0, __ATOMIC_SEQ_CST);
  if (count > kMost) {
    clear_rows();
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    remove_bits(g_list[i].row, g_list[i].tag, static_cast<uint8_t>(g_list[i].cell));
    g_list[i] = {};
  }
}

void pass_unseen(uint32_t row, Tag tag, uint8_t cell) {
  size_t at = __atomic_fetch_add(&g_count, 1, __ATOMIC_ACQ_REL);
  if (at < kMost)
    g_list[at] = {row, tag, cell};
  add_bits(row, tag, cell);
  // Switched on meanwhile: the list may have been taken before this entry was in it.
  if (!is_switched_off())
    remove_bits(row, tag, cell);
}

} // namespace culprit::access
