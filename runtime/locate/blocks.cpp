// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See blocks.h. One lock for all of it: a crash is told while it is held, which takes none.
#include "runtime/locate/blocks.h"

#include "runtime/heap/allocate.h"
#include "runtime/locate/crash.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/quarantine.h"
#include "runtime/locate/targets.h"
#include "runtime/locate/unwritten.h"
#include "runtime/locate/values.h"

namespace culprit::locate {
namespace {

os::Lock g_lock;

uintptr_t number_of(const void *address) { return reinterpret_cast<uintptr_t>(address); }
void *payload_of(const Block &block) { return reinterpret_cast<void *>(block.payload); }

// Who wrote there is not known if the cell still has the id of the free.
Damage check_freed_by_known(const Block &block) {
  Damage damage = check_freed(block);
  if (((damage.written ^ block.row->freed) & ~CULPRIT_ID_MARKS) == 0)
    damage.written = 0;
  return damage;
}

// The earliest of all damage. While the lock is held.
Unnoticed find_earliest() {
  Damage guard{};
  Damage freed{};
  for_each_block([&](const Block &block) {
    guard = earlier(guard, check_guards(block));
    if (block.row->state == BlockState::freed)
      freed = earlier(freed, check_freed_by_known(block));
  });
  Damage first = earlier(guard, freed);
  return {first.address == guard.address ? CULPRIT_CRASH_GUARD : CULPRIT_CRASH_FREED_WRITE,
          first.address, first.written, first.block};
}

// Where damage is found there may be more, and what was written first may be noticed last: a loop
// that overruns one block after the other.
void expect_none(const Damage &damage, culprit_crash_kind kind, const char *message) {
  if (!damage.address) [[likely]]
    return;
  Unnoticed first{kind, damage.address, damage.written, damage.block};
  if (Unnoticed other = find_earliest();
      other.written && (!first.written || other.written < first.written))
    first = other;
  stop_with_crash(first.kind, first.address, first.written, message, first.block);
}

[[gnu::noinline]] void tell_of_guards(Block block) {
  expect_none(find_guard_damage(block), CULPRIT_CRASH_GUARD,
              "culprit: memory beside a block was overwritten\n");
}

[[gnu::noinline]] void tell_of_freed(Block block) {
  expect_none(find_freed_damage(block), CULPRIT_CRASH_FREED_WRITE,
              "culprit: freed memory was overwritten\n");
}

CULPRIT_HOT void expect_guards(const Block &block) {
  if (is_large(block) || !has_whole_guards(block)) [[unlikely]]
    tell_of_guards(block);
}

// Before it is used again.
CULPRIT_HOT void expect_untouched(const Block &block) {
  expect_guards(block);
  if (!is_untouched(block)) [[unlikely]]
    tell_of_freed(block);
}

// No row: memory is out. The first block of a span stays out of use, so that every other has one in
// front of it.
CULPRIT_HOT Block take_small(size_t size, size_t alignment) {
  unsigned size_class = alignment <= heap::kGranule
                            ? heap::class_of_size(size + guard_behind(size))
                            : heap::class_of_aligned(alignment, size + guard_behind(size));
  if (Block place = take_near(size_class); place.row) {
    expect_untouched(place);
    place.row->state = BlockState::reusable;
    return place;
  }
  for (;;) {
    heap::Entry entry = heap::take_entry(size_class);
    if (!entry) [[unlikely]]
      return {};
    Block place = small_of(entry, size_class);
    if (place.slot != 0) [[likely]]
      return place;
    set_last_guard(place);
  }
}

[[gnu::noinline]] Block take_large(size_t size, size_t alignment, bool &zeroed) {
  size_t lead = alignment > heap::kGranule ? alignment : heap::kGranule;
  heap::LargeBlock block = heap::take_large(lead + size + guard_behind(size), alignment);
  if (!block.start)
    return {};
  zeroed = block.zeroed;
  Block place = known_place(number_of(block.start));
  place.row->lead = static_cast<uint8_t>(__builtin_ctzll(lead));
  place.payload = place.start + lead;
  return place;
}

CULPRIT_HOT void give_back(const Block &block) {
  block.row->state = BlockState::reusable;
  if (is_large(block))
    return heap::free(reinterpret_cast<void *>(block.start));
  heap::give_entry(block.size_class, heap::make_entry(block.start, block.slot));
}

struct Pages {
  char *start;
  size_t bytes;
};

Pages whole_pages(const Block &block) {
  uintptr_t from = (block.payload + os::kOsPage - 1) & ~(os::kOsPage - 1);
  uintptr_t end = block.behind() & ~(os::kOsPage - 1);
  return {reinterpret_cast<char *>(from), end - from};
}

CULPRIT_HOT Id take_allocation_id() {
  Id id = __culprit_allocation_id;
  __culprit_allocation_id = 0;
  return id;
}

CULPRIT_HOT bool is_stamped(const Block &block) {
  return !is_large(block) || block.row->size <= kLargestStamped;
}

CULPRIT_HOT Block begin_block(size_t size, size_t alignment, bool zeroed, Id id) {
  bool is_small = size + guard_behind(size) <= heap::kLargestSmall && alignment <= heap::kPageSize;
  bool is_zero = false;
  Block block = is_small ? take_small(size, alignment) : take_large(size, alignment, is_zero);
  if (!block.row)
    return {};
  BlockRow &row = *block.row;
  row.allocated = id;
  row.freed = 0;
  row.freed_leaf = 0;
  row.size = size;
  row.state = BlockState::live;
  if (zeroed ? !is_zero : is_stamped(block))
    fill_pattern(block.payload, size, zeroed ? 0 : g_contents.fresh);
  define_whole(block.payload, size, is_stamped(block) ? (zeroed ? id : unwritten(id)) : 0);
  set_guards(block);
  count_live(block);
  return block;
}

// The same of a small block; no row: there is none.
CULPRIT_HOT Block small_block_to_free(uintptr_t at) {
  if (at - heap::g_arena.base >= heap::g_arena.size)
    return {};
  Spot spot = spot_of(at);
  unsigned size_class = heap::entry_class(spot.entry);
  if (size_class - 1 >= heap::kClassCount - 1)
    return {};
  size_t slot = slot_of(spot);
  Block block = small_at(spot.first, spot.entry, slot);
  bool is_it = block.start == at && slot < heap::kClasses.of[size_class].slots;
  return is_it && block.row->state == BlockState::live ? block : Block{};
}

// The live block of the target's that starts exactly there.
[[gnu::noinline]] Block block_to_free(void *address) {
  uintptr_t at = number_of(address);
  Block block = find_block(at);
  if (!block.row || block.payload != at)
    stop_with_crash(CULPRIT_CRASH_BAD_FREE, at, 0, "free(): invalid pointer\n");
  if (block.row->state != BlockState::live)
    stop_with_crash(CULPRIT_CRASH_DOUBLE_FREE, at, 0, "free(): double free detected\n");
  return block;
}

CULPRIT_HOT void drain_quarantine() {
  for (Block block = leave_quarantine(); block.row; block = leave_quarantine()) {
    if (!is_stamped(block)) {
      Pages pages = whole_pages(block);
      os::make_usable(pages.start, pages.bytes);
    }
    expect_untouched(block);
    give_back(block);
  }
}

CULPRIT_HOT void end_block(const Block &block, Id id) {
  expect_guards(block);
  count_dead(block);
  BlockRow &row = *block.row;
  row.state = BlockState::freed;
  row.freed_leaf = id ? __culprit_leaves[0] : 0;
  if (!id)
    id = freed_by_unseen();
  row.freed = id;
  define_whole(block.payload, row.size, is_stamped(block) ? unwritten_since_free(id) : 0);
  if (is_stamped(block)) {
    if (!g_contents.leaves_freed) [[likely]]
      fill_pattern(block.payload, row.size, kFreed);
  } else {
    Pages pages = whole_pages(block);
    os::make_unusable(pages.start, pages.bytes);
  }
  enter_quarantine(block);
  drain_quarantine();
}

[[gnu::noinline]] void end_any_block(Block block, Id id) { end_block(block, id); }

// A large block may stay where it is: programs grow one buffer by little steps.
bool resize_in_place(const Block &block, size_t size, Id id) {
  if (is_stamped(block) || size <= kLargestStamped)
    return false;
  auto page = static_cast<uint32_t>((block.start - heap::g_arena.base) >> heap::kPageShift);
  if (!heap::resize_large(page, block.payload - block.start + size + guard_behind(size)))
    return false;
  count_dead(block);
  uintptr_t old = block.behind();
  Block now = known_place(block.start);
  now.row->size = size;
  now.row->allocated = id;
  uintptr_t cells = (old + CULPRIT_CELL_BYTES - 1) & ~uintptr_t{CULPRIT_CELL_BYTES - 1};
  if (cells < now.behind())
    define(cells, now.behind() - cells, 0);
  set_guards(now);
  count_live(now);
  return true;
}

} // namespace

void *allocate(size_t size, size_t alignment, bool zeroed) {
  Id id = take_allocation_id();
  os::Hold hold(g_lock);
  Block block = begin_block(size, alignment, zeroed, id);
  return block.row ? payload_of(block) : nullptr;
}

void release(void *address) {
  Id id = take_allocation_id();
  if (!address)
    return;
  // What is freed last was often used long ago: its ids, its bytes and its row are waited for at
  // the same time.
  __builtin_prefetch(cell_of(number_of(address)), 1);
  __builtin_prefetch(address, 1);
  os::Hold hold(g_lock);
  if (Block block = small_block_to_free(number_of(address)); block.row) [[likely]] {
    __builtin_assume(block.size_class != heap::kLargeClass);
    end_block(block, id);
  } else {
    end_any_block(block_to_free(address), id);
  }
}

void *resize(void *address, size_t size) {
  Id id = take_allocation_id();
  os::Hold hold(g_lock);
  Block block = block_to_free(address);
  expect_guards(block);
  if (resize_in_place(block, size, id))
    return address;
  Block moved = begin_block(size, heap::kGranule, false, id);
  if (!moved.row)
    return nullptr;
  size_t kept = size < block.row->size ? size : block.row->size;
  __builtin_memcpy(payload_of(moved), address, kept);
  copy_ids(moved.payload, block.payload, kept, id);
  // That the old block is free is a definition of its own (pass/locate/plan.cpp); suppressed, it is
  // not.
  Id freed = id ? fired((id + 1) | CULPRIT_ID_CORRUPT) : 0;
  if (!is_corrupt(freed))
    end_any_block(block, freed);
  return payload_of(moved);
}

size_t usable_size(void *address) {
  Block block = find_block(number_of(address));
  bool is_it = block.row && block.payload == number_of(address);
  return is_it && block.row->state == BlockState::live ? block.row->size : 0;
}

bool create_blocks() { return create_quarantine() && create_block_table(); }

Unnoticed find_unnoticed() {
  if (!g_lock.try_acquire())
    return {};
  Unnoticed first = find_earliest();
  g_lock.release();
  return first;
}

void check_blocks_at_exit() {
  // _exit may have interrupted an allocation, in a signal handler: then nothing is in order.
  if (has_crashed())
    return;
  if (Unnoticed first = find_unnoticed(); first.address)
    tell_crash({first.kind, 0, first.address, 0, 0, first.written, first.block});
}

void lock_blocks() { g_lock.acquire(); }
void unlock_blocks() { g_lock.release(); }
void reset_blocks_lock() { g_lock.reset(); }

} // namespace culprit::locate
