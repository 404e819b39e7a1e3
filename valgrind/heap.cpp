// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/heap.h"

#include "valgrind/memory.h"
#include "valgrind/names.h"
#include "valgrind/sites.h"
#include "valgrind/small_blocks.h"

namespace culprit::deep {
namespace {

Addr address_of(void *block) { return reinterpret_cast<Addr>(block); }

void name(ThreadId thread, void *block, SizeT size) {
  name_block(address_of(block), size, gap_before(block), name_of_allocation(thread));
}

void *allocate(ThreadId thread, SizeT size, SizeT alignment) {
  if (static_cast<SSizeT>(size) < 0)
    return nullptr;
  renew_tables();
  void *block = take_block(size, alignment);
  if (block != nullptr)
    name(thread, block, size);
  return block;
}

void *allocate_plain(ThreadId thread, SizeT size) { return allocate(thread, size, kAlignment); }
void *allocate_aligned(ThreadId thread, SizeT size, SizeT alignment) {
  return allocate(thread, size, alignment);
}
void *allocate_memalign(ThreadId thread, SizeT alignment, SizeT size) {
  return allocate(thread, size, alignment);
}

void *allocate_zeroed(ThreadId thread, SizeT count, SizeT size) {
  if (size != 0 && count > (~static_cast<SizeT>(0) >> 1) / size)
    return nullptr;
  void *block = allocate(thread, count * size, kAlignment);
  if (block != nullptr)
    VG_(memset)(block, 0, count * size);
  return block;
}

// What is no block, or no longer one, is left alone: a program that frees twice goes on.
void release(ThreadId, void *block) {
  if (block != nullptr && end_block(address_of(block)))
    give_back(block);
}
void release_aligned(ThreadId thread, void *block, SizeT) { release(thread, block); }

void *reallocate(ThreadId thread, void *block, SizeT size) {
  if (block == nullptr)
    return allocate_plain(thread, size);
  if (size == 0) {
    release(thread, block);
    return nullptr;
  }
  if (!is_block(address_of(block)) || static_cast<SSizeT>(size) < 0)
    return nullptr;
  const SizeT usable = room_of(block);
  if (size <= usable && size > usable / 2) { // where it is, but allocated here
    name(thread, block, size);
    return block;
  }
  void *moved = allocate_plain(thread, size);
  if (moved == nullptr)
    return nullptr;
  VG_(memcpy)(moved, block, size < usable ? size : usable);
  release(thread, block);
  return moved;
}

SizeT usable_size(ThreadId, void *block) {
  return block != nullptr && is_block(address_of(block)) ? block_size(address_of(block)) : 0;
}

} // namespace

void replace_allocation() {
  VG_(needs_malloc_replacement)(allocate_plain, allocate_plain, allocate_aligned, allocate_plain,
                                allocate_aligned, allocate_memalign, allocate_zeroed, release,
                                release, release_aligned, release, release_aligned, reallocate,
                                usable_size, kCoreGap);
}

} // namespace culprit::deep
