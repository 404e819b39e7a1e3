// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See blocks.h. One lock for all of it: a crash is told while it is held, which takes none.
#include "runtime/locate/blocks.h"

#include "runtime/heap/allocate.h"
#include "runtime/locate/block_table.h"
#include "runtime/locate/crash.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/quarantine.h"
#include "runtime/locate/values.h"

namespace culprit::locate {
namespace {

constexpr uint8_t kLive = 2; // live byte of a block of ours: heap::free() does not take it

os::Lock g_lock;

struct Raw {
  char *start;
  bool zeroed;
};

Raw take(size_t bytes, size_t alignment) {
  if (bytes > heap::kLargestSmall || alignment > heap::kPageSize) {
    heap::LargeBlock block = heap::take_large(bytes, alignment);
    return {block.start, block.zeroed};
  }
  return {static_cast<char *>(heap::allocate_aligned(alignment, bytes)), false};
}

uint8_t *live_byte(const heap::Object &object) {
  return object.size_class == heap::kLargeClass ? nullptr : &heap::g_arena.live[object.number];
}

void give_back(Block &block) {
  block.state = BlockState::reusable;
  auto *start = reinterpret_cast<char *>(block.start);
  heap::Object object = heap::find_object(start);
  if (uint8_t *live = live_byte(object))
    *live = 1;
  heap::free(start);
}

struct Pages {
  char *start;
  size_t bytes;
};

Pages whole_pages(const Block &block) {
  uintptr_t from = (block.payload + os::kOsPage - 1) & ~(os::kOsPage - 1);
  uintptr_t end = (block.payload + block.size) & ~(os::kOsPage - 1);
  return {reinterpret_cast<char *>(from), end - from};
}

Id take_allocation_id() {
  Id id = __culprit_allocation_id;
  __culprit_allocation_id = 0;
  return id;
}

void *payload_of(const Block &block) { return reinterpret_cast<void *>(block.payload); }

// Stamped and filled as a fresh block is, from this byte on.
void begin_bytes(const Block &block, size_t from, bool zeroed, bool is_zero) {
  bool is_small = block.size <= kLargestStamped;
  auto *start = reinterpret_cast<char *>(block.payload) + from;
  if (zeroed ? !is_zero : is_small)
    __builtin_memset(start, zeroed ? 0 : kFresh, block.size - from);
  uintptr_t cells = block.payload + ((from + CULPRIT_CELL_BYTES - 1) & ~size_t{3});
  uintptr_t end = block.payload + block.size;
  if (cells < end)
    define(cells, end - cells, is_small ? block.allocated : 0);
}

Block *begin_block(size_t size, size_t alignment, bool zeroed, Id id) {
  size_t lead = alignment > kGuardBytes ? alignment : kGuardBytes;
  Raw raw = take(lead + size + kGuardBytes, alignment > heap::kGranule ? alignment : 1);
  if (!raw.start)
    return nullptr;
  heap::Object object = heap::find_object(raw.start);
  if (uint8_t *live = live_byte(object))
    *live = kLive;
  Block &block = g_blocks[row_of(object)];
  block = {object.start + lead, size, object.start, object.size, id, 0, 0, 0, BlockState::live};
  begin_bytes(block, 0, zeroed, raw.zeroed);
  set_guards(block);
  return &block;
}

// The live block of the target's that starts exactly there.
Block &block_to_free(void *address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  Block *block = find_block(at);
  if (!block || block->payload != at)
    stop_with_crash(CULPRIT_CRASH_BAD_FREE, at, 0, "free(): invalid pointer\n");
  if (block->state != BlockState::live)
    stop_with_crash(CULPRIT_CRASH_DOUBLE_FREE, at, 0, "free(): double free detected\n");
  return *block;
}

void expect_guards(const Block &block) {
  Damage damage = check_guards(block);
  if (damage.address)
    stop_with_crash(CULPRIT_CRASH_GUARD, damage.address, damage.written,
                    "culprit: memory beside a block was overwritten\n");
}

void expect_untouched(const Block &block) {
  Damage damage = check_freed(block);
  if (damage.address)
    stop_with_crash(CULPRIT_CRASH_FREED_WRITE, damage.address, damage.written,
                    "culprit: freed memory was overwritten\n");
}

void drain_quarantine() {
  while (Block *block = leave_quarantine()) {
    if (block->size > kLargestStamped) {
      Pages pages = whole_pages(*block);
      os::make_usable(pages.start, pages.bytes);
    }
    expect_guards(*block);
    expect_untouched(*block);
    give_back(*block);
  }
}

void end_block(Block &block, Id id) {
  expect_guards(block);
  block.state = BlockState::freed;
  block.freed = id;
  block.freed_leaf = id ? __culprit_leaves[0] : 0;
  if (block.size > kLargestStamped) {
    define(block.payload, block.size, 0);
    Pages pages = whole_pages(block);
    os::make_unusable(pages.start, pages.bytes);
  } else {
    __builtin_memset(payload_of(block), kFreed, block.size);
    define(block.payload, block.size, id);
  }
  enter_quarantine(static_cast<uint64_t>(&block - g_blocks));
  drain_quarantine();
}

// A large block may stay where it is: programs grow one buffer by little steps.
bool resize_in_place(Block &block, size_t size, Id id) {
  if (block.size <= kLargestStamped || size <= kLargestStamped)
    return false;
  auto page = static_cast<uint32_t>((block.start - heap::g_arena.base) >> heap::kPageShift);
  size_t lead = block.payload - block.start;
  if (!heap::resize_large(page, lead + size + kGuardBytes))
    return false;
  uintptr_t end = block.payload + (size < block.size ? size : block.size);
  uintptr_t cells = (end + CULPRIT_CELL_BYTES - 1) & ~uintptr_t{CULPRIT_CELL_BYTES - 1};
  block.size = size;
  block.length = heap::find_object(reinterpret_cast<void *>(block.start)).size;
  block.allocated = id;
  if (cells < block.payload + size)
    define(cells, block.payload + size - cells, 0);
  set_guards(block);
  return true;
}

} // namespace

void *allocate(size_t size, size_t alignment, bool zeroed) {
  Id id = take_allocation_id();
  os::Hold hold(g_lock);
  Block *block = begin_block(size, alignment, zeroed, id);
  return block ? payload_of(*block) : nullptr;
}

void release(void *address) {
  Id id = take_allocation_id();
  if (!address)
    return;
  os::Hold hold(g_lock);
  end_block(block_to_free(address), id);
}

void *resize(void *address, size_t size) {
  Id id = take_allocation_id();
  os::Hold hold(g_lock);
  Block &block = block_to_free(address);
  expect_guards(block);
  if (resize_in_place(block, size, id))
    return address;
  Block *moved = begin_block(size, heap::kGranule, false, id);
  if (!moved)
    return nullptr;
  size_t kept = size < block.size ? size : block.size;
  __builtin_memcpy(payload_of(*moved), address, kept);
  copy_ids(moved->payload, block.payload, kept, id);
  end_block(block, id);
  return payload_of(*moved);
}

size_t usable_size(void *address) {
  auto at = reinterpret_cast<uintptr_t>(address);
  const Block *block = find_block(at);
  return block && block->payload == at && block->state == BlockState::live ? block->size : 0;
}

bool create_blocks() {
  create_quarantine();
  return create_block_table();
}

void check_blocks_at_exit() {
  // _exit may have interrupted an allocation, in a signal handler: then nothing is in order.
  if (has_crashed() || !g_lock.try_acquire())
    return;
  Damage guard{};
  Damage freed{};
  for_each_block([&](const Block &block) {
    if (block.state == BlockState::reusable)
      return;
    guard = earlier(guard, check_guards(block));
    if (block.state == BlockState::freed)
      freed = earlier(freed, check_freed(block));
  });
  Damage first = earlier(guard, freed);
  if (first.address)
    tell_crash({first.address == guard.address ? CULPRIT_CRASH_GUARD : CULPRIT_CRASH_FREED_WRITE, 0,
                first.address, 0, 0, first.written});
  g_lock.release();
}

void lock_blocks() { g_lock.acquire(); }
void unlock_blocks() { g_lock.release(); }
void reset_blocks_lock() { g_lock.reset(); }

} // namespace culprit::locate
