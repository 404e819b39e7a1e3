// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/small_blocks.h"

#include "valgrind/memory.h"
#include "valgrind/table.h"

namespace culprit::deep {
namespace {

constexpr SizeT kLargest = 512;
constexpr SizeT kGaps = kGapBefore + kGapBehind;
// By the distance of blocks in 16 bytes; 0 is for none.
constexpr UInt kClasses = (kLargest + kGaps + kAlignment - 1) / kAlignment + 1;
constexpr UInt kChunkShift = 18;
constexpr SizeT kChunk = 1ul << kChunkShift;
constexpr SizeT kLargePage = 2ul << 20;
// What the core is asked for at once. Chunks that are asked for one by one lie a chunk apart, for
// their alignment, and so do their words: twice as many pages of them.
constexpr SizeT kArea = 16 * kLargePage;
constexpr SizeT kFewBytes = 4ul << 20; // whoever has more of one size gets large pages
constexpr UInt kMostChunks = 1u << (37 - kChunkShift); // as many as have words

struct Class {
  Array<Addr> free; // the last one that came back is the first to go
  Addr next;        // of the chunk, not handed out yet
  Addr end;
  SizeT bytes; // of its chunks
};
Class g_classes[kClasses];
UChar g_class_of[kMostChunks]; // by address; 0: not one of our chunks

struct Area {
  Addr next; // not in a chunk yet
  Addr end;
};
Area g_area;

UInt class_of(SizeT size) {
  return static_cast<UInt>((size + kGaps + kAlignment - 1) / kAlignment);
}

UInt class_at(Addr block) {
  const Addr chunk = block >> kChunkShift;
  return chunk < kMostChunks ? g_class_of[chunk] : 0;
}

// Aligned to its size; 0: no memory.
Addr take_chunk(SizeT size) {
  const Addr chunk = (g_area.next + size - 1) / size * size;
  if (chunk + size <= g_area.end) {
    g_area.next = chunk + size;
    return chunk;
  }
  const auto area = reinterpret_cast<Addr>(VG_(cli_malloc)(kLargePage, kArea));
  if (area == 0 || (area + kArea) >> kChunkShift > kMostChunks)
    return 0;
  g_area = {.next = area + size, .end = area + kArea};
  return area;
}

bool add_chunk(Class &wanted, UInt number) {
  const SizeT size = wanted.bytes < kFewBytes ? kChunk : kLargePage;
  const Addr chunk = take_chunk(size);
  if (chunk == 0)
    return false;
  if (size == kLargePage)
    prefer_large_pages(chunk, size);
  for (Addr at = chunk; at < chunk + size; at += kChunk)
    g_class_of[at >> kChunkShift] = static_cast<UChar>(number);
  wanted.next = chunk + kAlignment;
  wanted.end = chunk + size;
  wanted.bytes += size;
  return true;
}

} // namespace

void *take_block(SizeT size, SizeT alignment) {
  if (size > kLargest || alignment > kAlignment)
    return VG_(cli_malloc)(alignment < kAlignment ? kAlignment : alignment, size);
  const UInt number = class_of(size);
  Class &from = g_classes[number];
  if (from.free.size > 0)
    return reinterpret_cast<void *>(from.free[--from.free.size]);
  const SizeT step = number * kAlignment;
  if (from.next + step > from.end && !add_chunk(from, number))
    return VG_(cli_malloc)(kAlignment, size);
  const Addr block = from.next;
  from.next += step;
  return reinterpret_cast<void *>(block);
}

void give_back(void *block) {
  const auto address = reinterpret_cast<Addr>(block);
  const UInt number = class_at(address);
  if (number == 0)
    VG_(cli_free)(block);
  else
    g_classes[number].free.add(address);
}

SizeT room_of(void *block) {
  const UInt number = class_at(reinterpret_cast<Addr>(block));
  return number == 0 ? VG_(cli_malloc_usable_size)(block) : number * kAlignment - kGaps;
}

SizeT gap_before(void *block) {
  return class_at(reinterpret_cast<Addr>(block)) == 0 ? kCoreGap : kGapBefore;
}

} // namespace culprit::deep
