// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See guards.h.
#include "runtime/locate/guards.h"

#include "runtime/locate/ids.h"

namespace culprit::locate {
namespace {

uintptr_t guard_end(const Block &block) {
  uintptr_t end = block.payload + block.size + kLongestGuard;
  uintptr_t last = block.start + block.length;
  return end < last ? end : last;
}

void fill(uintptr_t from, uintptr_t end, unsigned char pattern) {
  __builtin_memset(reinterpret_cast<void *>(from), pattern, end - from);
}

uintptr_t first_difference(uintptr_t at, uintptr_t end, unsigned char pattern) {
  uint64_t word = pattern * 0x0101010101010101u;
  auto differs = [&] { return *reinterpret_cast<const unsigned char *>(at) != pattern; };
  while (at < end && at % sizeof word) {
    if (differs())
      return at;
    ++at;
  }
  while (at + sizeof word <= end && *reinterpret_cast<const uint64_t *>(at) == word)
    at += sizeof word;
  while (at < end && !differs())
    ++at;
  return at;
}

} // namespace

Damage find_damage(uintptr_t from, uintptr_t end, unsigned char pattern) {
  Damage earliest{};
  for (uintptr_t at = from; (at = first_difference(at, end, pattern)) < end;) {
    uintptr_t behind = (at & ~uintptr_t{CULPRIT_CELL_BYTES - 1}) + CULPRIT_CELL_BYTES;
    if (behind > end)
      behind = end;
    Id id = *cell_of(at);
    if (is_corrupt(id))
      fill(at, behind, pattern);
    else
      earliest = earlier(earliest, {at, id});
    at = behind;
  }
  return earliest;
}

void set_guards(const Block &block) {
  uintptr_t front = block.payload - kGuardBytes;
  uintptr_t behind = block.payload + block.size;
  uintptr_t end = guard_end(block);
  fill(front, block.payload, kGuard);
  fill(behind, end, kGuard);
  define(front, kGuardBytes, 0);
  uintptr_t whole = (behind + CULPRIT_CELL_BYTES - 1) & ~uintptr_t{CULPRIT_CELL_BYTES - 1};
  define(whole, end - whole, 0);
}

Damage check_guards(const Block &block) {
  return earlier(find_damage(block.payload - kGuardBytes, block.payload, kGuard),
                 find_damage(block.payload + block.size, guard_end(block), kGuard));
}

Damage check_freed(const Block &block) {
  if (block.size > kLargestStamped)
    return {};
  return find_damage(block.payload, block.payload + block.size, kFreed);
}

} // namespace culprit::locate
