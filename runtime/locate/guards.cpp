// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See guards.h.
#include "runtime/locate/guards.h"

#include "abi/locate.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/trespasses.h"
#include "runtime/locate/values.h"

namespace culprit::locate {

Contents g_contents;

namespace {

constexpr uintptr_t kInCell = CULPRIT_CELL_BYTES - 1;

Bytes front_of(const Block &block) { return {block.payload - kGuardBytes, block.payload}; }
Bytes last_of(const Block &block) { return {block.end - kGuardBytes, block.end}; }

void set(Bytes bytes) {
  if (bytes.from == bytes.end)
    return;
  fill_pattern(bytes.from, bytes.end - bytes.from, g_contents.guard);
  uintptr_t whole = (bytes.from + kInCell) & ~kInCell;
  if (whole < bytes.end)
    define_whole(whole, bytes.end - whole, 0);
}

uintptr_t first_difference(uintptr_t at, uintptr_t end, unsigned char pattern) {
  uint64_t word = pattern_word(pattern);
  auto differs = [&] { return *reinterpret_cast<const unsigned char *>(at) != pattern; };
  while (at < end && at % sizeof word) {
    if (differs())
      return at;
    ++at;
  }
  // Four at a time: a freed block of some size is compared as a whole.
  for (constexpr size_t kStep = 4 * sizeof word; at + kStep <= end; at += kStep) {
    const auto *words = reinterpret_cast<const uint64_t *>(at);
    if ((words[0] ^ word) | (words[1] ^ word) | (words[2] ^ word) | (words[3] ^ word))
      break;
  }
  while (at + sizeof word <= end && *reinterpret_cast<const uint64_t *>(at) == word)
    at += sizeof word;
  while (at < end && !differs())
    ++at;
  return at;
}

Damage find_damage(Bytes bytes, unsigned char pattern, const Block &block) {
  Damage earliest{};
  for (uintptr_t at = bytes.from; (at = first_difference(at, bytes.end, pattern)) < bytes.end;) {
    uintptr_t behind = (at & ~kInCell) + CULPRIT_CELL_BYTES;
    if (behind > bytes.end)
      behind = bytes.end;
    Id id = *cell_of(at);
    if (is_corrupt(id))
      fill_pattern(at, behind - at, pattern);
    else
      earliest = earlier(earliest, {at, first_trespass(at, id), block.payload});
    at = behind;
  }
  return earliest;
}

static_assert(kGuardBytes == sizeof(uint64_t) && kGuardBytes == 2 * size_t{CULPRIT_CELL_BYTES});

void set_last(const Block &block) {
  store_word(block.end - kGuardBytes, pattern_word(g_contents.guard));
  Id *cells = cell_of(block.end - kGuardBytes);
  cells[0] = 0;
  cells[1] = 0;
}

// Of the guard between two: whose it is.
Damage between(const Block &front, const Block &behind) {
  if (load_word(front.end - kGuardBytes) == pattern_word(g_contents.guard)) [[likely]]
    return {};
  Damage damage = find_damage(last_of(front), g_contents.guard, behind);
  if (damage.address && is_guarded(front) &&
      (!is_guarded(behind) || damage.address - front.behind() < behind.payload - damage.address))
    damage.block = front.payload;
  return damage;
}

} // namespace

Contents contents_of(uint64_t option) {
  bool is_zero = option == CULPRIT_CONTENTS_ZERO || option == CULPRIT_CONTENTS_LEFT;
  return {.fresh = is_zero ? static_cast<unsigned char>(0) : kFresh,
          .guard = is_zero ? static_cast<unsigned char>(0) : kGuard,
          .leaves_freed = option == CULPRIT_CONTENTS_LEFT,
          .tells_reads = option == CULPRIT_CONTENTS_READ,
          .apart = option == CULPRIT_CONTENTS_APART,
          // Apart: up to the guard of the next one, whatever the heap's block has to spare.
          .longest_guard = option == CULPRIT_CONTENTS_APART ? heap::kLargestSmall : kLongestGuard};
}

Damage earlier(const Damage &a, const Damage &b) {
  if (!a.address || (b.address && b.written && (!a.written || b.written < a.written)))
    return b;
  return a;
}

VariableDamage earlier(const VariableDamage &a, const VariableDamage &b) {
  return earlier(a.damage, b.damage).address == b.damage.address ? b : a;
}

void set_last_guard(const Block &block) {
  if (g_contents.apart)
    set({block.start, block.end});
  else
    set_last(block);
}

void set_rest(Block block) { set(rest_of(block)); }

void set_shared_guards(Block block) {
  if (is_large(block))
    return set(front_of(block));
  if (Block front = block_before(block); !is_guarded(front))
    set_last(front);
  if (is_last_of_span(block) || !is_guarded(block_behind(block)))
    set_last(block);
}

Damage find_guard_damage(const Block &block) {
  Damage rest = find_damage(rest_of(block), g_contents.guard, block);
  if (is_large(block))
    return earlier(rest, find_damage(front_of(block), g_contents.guard, block));
  if (rest.address && !is_last_of_span(block))
    if (Block behind = block_behind(block);
        is_guarded(behind) && behind.payload - rest.address < rest.address - block.behind())
      rest.block = behind.payload;
  if (g_contents.apart && is_first_in_use(block))
    rest = earlier(rest, find_damage({block_before(block).start, block.start - kGuardBytes},
                                     g_contents.guard, block));
  Damage last = is_last_of_span(block) ? find_damage(last_of(block), g_contents.guard, block)
                                       : between(block, block_behind(block));
  return earlier(rest, earlier(last, between(block_before(block), block)));
}

Damage find_freed_damage(const Block &block) {
  return find_damage({block.payload, block.behind()}, kFreed, block);
}

Damage check_pattern(uintptr_t from, size_t length, unsigned char pattern) {
  return find_damage({from, from + length}, pattern, Block{});
}

Damage check_sentinel(uint64_t *sentinel, uint64_t expected) {
  auto at = reinterpret_cast<uintptr_t>(sentinel);
  Damage earliest{};
  for (size_t from = 0; from < sizeof expected; from += CULPRIT_CELL_BYTES) {
    auto *cell = reinterpret_cast<unsigned char *>(at + from);
    const auto *wanted = reinterpret_cast<const unsigned char *>(&expected) + from;
    if (!__builtin_memcmp(cell, wanted, CULPRIT_CELL_BYTES))
      continue;
    Id id = *cell_of(at + from);
    if (is_corrupt(id))
      __builtin_memcpy(cell, wanted, CULPRIT_CELL_BYTES);
    else
      earliest = earlier(earliest, {at + from, id, 0});
  }
  return earliest;
}

} // namespace culprit::locate
