// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See lent.h.
#include "runtime/locate/lent.h"

#include "abi/locate.h"
#include "runtime/locate/block_table.h"
#include "runtime/locate/extents.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/layout.h"
#include "runtime/locate/values.h"

namespace culprit::locate {
namespace {

constexpr uintptr_t kInCell = CULPRIT_CELL_BYTES - 1;
// Above the lowest frame so much can always be read (data_stack.cpp).
constexpr size_t kFrames = size_t{64} << 10;

bool lies_in_frames(uintptr_t address) {
  if (lies_in_arena(address, CULPRIT_LENT_BYTES))
    return true;
  auto lowest = reinterpret_cast<uintptr_t>(__culprit_data_stack);
  return address >= lowest && address - lowest < kFrames - CULPRIT_LENT_BYTES;
}

template <typename Visit> void for_each_cell(uintptr_t address, size_t size, Visit visit) {
  uintptr_t end = address + size;
  for (uintptr_t from = address; from < end;) {
    uintptr_t behind = (from & ~kInCell) + CULPRIT_CELL_BYTES;
    size_t length = (behind < end ? behind : end) - from;
    visit(from, length);
    from += length;
  }
}

// A declaration has no time.
bool is_declaration(Id id) {
  return id && !(id & ~CULPRIT_ID_MARKS & ~Id{CULPRIT_ID_DEFINITION_MASK});
}

} // namespace

size_t lend(uintptr_t address, size_t size, void *copy) {
  if (size > CULPRIT_LENT_BYTES)
    return 0;
  if (!lies_in_frames(address)) {
    size_t room = room_at(address);
    Block block = find_block(address);
    if (room == kNoExtent || room < size || (block.row && block.row->state != BlockState::live))
      return 0;
  }
  __builtin_memcpy(copy, reinterpret_cast<const void *>(address), size);
  return size;
}

void take_back(uintptr_t address, size_t size, const void *copy, Id id) {
  const auto *before = static_cast<const char *>(copy);
  for_each_cell(address, size, [&](uintptr_t at, size_t length) {
    if (__builtin_memcmp(reinterpret_cast<const void *>(at), before + (at - address), length) != 0)
      define(at, length, id);
  });
}

void keep_back(uintptr_t address, size_t size, Id id) {
  Block block = find_block(address);
  bool is_live = block.row && block.row->state == BlockState::live;
  if (!is_live && !lies_in_frames(address))
    return;
  for_each_cell(address, size, [&](uintptr_t at, size_t length) {
    Id known = *cell_of(at) & ~CULPRIT_ID_MARKS;
    if (is_live ? known == block.row->allocated : is_declaration(known))
      define(at, length, id);
  });
}

} // namespace culprit::locate
