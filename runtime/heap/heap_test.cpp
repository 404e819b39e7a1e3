// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap against a brute-force model. This test binary links the runtime, so gtest and the model
// live on the very heap under test.
#include "runtime/heap/allocate.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace culprit::heap {
namespace {

bool whole_heap_is_valid() {
  for (unsigned number = 1; number < kClassCount; ++number)
    if (!is_valid(number))
      return false;
  return is_valid_large();
}

TEST(SizeClass, EveryPositionOfEverySpanHasTheSlotThatDivisionGives) {
  for (unsigned number = 1; number < kClassCount; ++number) {
    const SizeClass &kind = kClasses.of[number];
    for (size_t at = 0; at < kind.span_pages * kPageSize; at += kGranule)
      ASSERT_EQ(slot_of(number, at), at / kind.size) << kind.size << " at " << at;
    EXPECT_GE(kind.batch, 1);
    EXPECT_LE(kind.slots, kSlotsPerPage);
  }
}

TEST(SizeClass, EverySizeGetsTheSmallestClassThatHoldsIt) {
  for (size_t size = 0; size <= kLargestSmall; ++size) {
    unsigned number = class_of_size(size);
    ASSERT_GE(kClasses.of[number].size, size);
    if (number > 1)
      ASSERT_LT(kClasses.of[number - 1].size, size);
  }
}

TEST(FindObject, KnowsNothingOutsideItsBlocks) {
  int local = 0;
  EXPECT_EQ(find_object(nullptr).start, 0u);
  EXPECT_EQ(find_object(&local).start, 0u);
  EXPECT_EQ(find_object(reinterpret_cast<void *>(&find_object)).start, 0u);
  EXPECT_EQ(find_object(reinterpret_cast<void *>(~uintptr_t{0})).start, 0u);
  EXPECT_EQ(find_object(reinterpret_cast<void *>(g_arena.base)).start, 0u);
  EXPECT_EQ(find_object(reinterpret_cast<void *>(g_arena.base - 1)).start, 0u);
  EXPECT_EQ(find_object(reinterpret_cast<void *>(g_arena.base + g_arena.size - 1)).start, 0u);
  EXPECT_EQ(find_object(reinterpret_cast<void *>(g_arena.base + g_arena.size)).start, 0u);
}

struct Block {
  size_t asked;
  unsigned char seed;
};

// What the model believes, by start address. Overlap shows as a neighbour that begins before the
// block ends.
struct Model {
  std::map<uintptr_t, Block> blocks;

  void add(void *block, size_t asked, size_t alignment, unsigned char seed) {
    auto start = reinterpret_cast<uintptr_t>(block);
    ASSERT_NE(start, 0u);
    ASSERT_EQ(start % alignment, 0u);
    Object object = find_object(block);
    ASSERT_EQ(object.start, start);
    ASSERT_TRUE(object.live);
    ASSERT_GE(object.size, asked);
    auto next = blocks.lower_bound(start);
    if (next != blocks.end())
      ASSERT_LE(start + object.size, next->first);
    if (next != blocks.begin()) {
      auto before = std::prev(next);
      ASSERT_LE(before->first + find_object(reinterpret_cast<void *>(before->first)).size, start);
    }
    std::memset(block, seed, asked);
    blocks[start] = {asked, seed};
  }

  void check_content(uintptr_t start, size_t bytes, unsigned char seed) const {
    for (size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(reinterpret_cast<unsigned char *>(start)[i], seed) << "byte " << i;
  }

  void check_every_byte(uintptr_t start) const {
    Object object = find_object(reinterpret_cast<void *>(start));
    size_t step = object.size > 65536 ? 4093 : 1;
    for (size_t i = 0; i < object.size; i += step) {
      Object found = find_object(reinterpret_cast<void *>(start + i));
      ASSERT_EQ(found.start, start) << "byte " << i << " of " << object.size;
      ASSERT_EQ(found.number, object.number);
      ASSERT_TRUE(found.live);
    }
  }
};

size_t random_size(std::mt19937_64 &random) {
  switch (random() % 16) {
  case 0:
    return random() % 3'000'000;
  case 1:
  case 2:
    return random() % 200'000;
  case 3:
  case 4:
  case 5:
    return random() % 20'000;
  default:
    return random() % 600;
  }
}

TEST(Heap, AgreesWithAModelOverRandomCalls) {
  std::mt19937_64 random(20240611);
  Model model;
  for (int step = 0; step < 60'000; ++step) {
    size_t size = random_size(random);
    auto seed = static_cast<unsigned char>(random());
    unsigned choice = random() % 10;
    if (model.blocks.size() > 3000 || (choice < 3 && !model.blocks.empty())) {
      auto victim = model.blocks.lower_bound(g_arena.base + random() % g_arena.size);
      if (victim == model.blocks.end())
        victim = model.blocks.begin();
      auto [start, block] = *victim;
      ASSERT_NO_FATAL_FAILURE(model.check_content(start, block.asked, block.seed));
      if (step % 8 == 0)
        ASSERT_NO_FATAL_FAILURE(model.check_every_byte(start));
      model.blocks.erase(victim);
      if (choice == 0 && size) {
        void *moved = resize(reinterpret_cast<void *>(start), size);
        size_t kept = size < block.asked ? size : block.asked;
        ASSERT_NO_FATAL_FAILURE(
            model.check_content(reinterpret_cast<uintptr_t>(moved), kept, block.seed));
        ASSERT_NO_FATAL_FAILURE(model.add(moved, size, 16, seed));
      } else {
        heap::free(reinterpret_cast<void *>(start));
        ASSERT_FALSE(find_object(reinterpret_cast<void *>(start)).live);
      }
    } else if (choice == 9) {
      size_t alignment = size_t{16} << random() % 16;
      ASSERT_NO_FATAL_FAILURE(model.add(allocate_aligned(alignment, size), size, alignment, seed));
    } else if (choice == 8) {
      auto *block = static_cast<unsigned char *>(allocate_zeroed(size));
      for (size_t i = 0; i < size; ++i)
        ASSERT_EQ(block[i], 0);
      ASSERT_NO_FATAL_FAILURE(model.add(block, size, 16, seed));
    } else {
      ASSERT_NO_FATAL_FAILURE(model.add(allocate(size), size, 16, seed));
    }
    if (step % 5000 == 0)
      ASSERT_TRUE(whole_heap_is_valid()) << "step " << step;
  }
  for (auto [start, block] : model.blocks)
    heap::free(reinterpret_cast<void *>(start));
  EXPECT_TRUE(whole_heap_is_valid());
}

TEST(Heap, HandsTheLowestFreeBlocksOutInOrder) {
  auto first = reinterpret_cast<uintptr_t>(allocate(7000));
  auto second = reinterpret_cast<uintptr_t>(allocate(7000));
  EXPECT_EQ(second - first, find_object(reinterpret_cast<void *>(first)).size);
  heap::free(reinterpret_cast<void *>(second));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(allocate(7000)), second);
}

TEST(Heap, AWriteThroughAStalePointerDoesNotReachTheHeap) {
  std::vector<void *> blocks;
  for (int i = 0; i < 1000; ++i)
    blocks.push_back(allocate(48));
  for (void *block : blocks) {
    heap::free(block);
    std::memset(block, 0xff, 48);
  }
  std::map<void *, int> seen;
  for (int i = 0; i < 2000; ++i)
    EXPECT_EQ(seen[allocate(48)]++, 0);
  EXPECT_TRUE(whole_heap_is_valid());
}

TEST(Heap, AClassKeepsItsPagesForEver) {
  void *block = allocate(1000);
  unsigned size_class = find_object(block).size_class;
  heap::free(block);
  for (int i = 0; i < 5000; ++i)
    heap::free(allocate(static_cast<size_t>(i) * 7));
  EXPECT_EQ(find_object(block).size_class, size_class);
}

size_t resident_bytes() {
  FILE *file = std::fopen("/proc/self/statm", "r");
  size_t total = 0;
  size_t resident = 0;
  if (std::fscanf(file, "%zu %zu", &total, &resident) != 2)
    resident = 0;
  std::fclose(file);
  return resident * 4096;
}

TEST(Heap, GivesMemoryOfFreedBlocksBackToTheKernel) {
  for (size_t size : {size_t{64}, size_t{3000}, size_t{100'000}, size_t{1'000'000}}) {
    size_t before = resident_bytes();
    std::vector<void *> blocks(256'000'000 / size);
    for (void *&block : blocks) {
      block = allocate(size);
      std::memset(block, 1, size);
    }
    EXPECT_GT(resident_bytes(), before + 200'000'000);
    for (void *block : blocks)
      heap::free(block);
    EXPECT_LT(resident_bytes(), before + 100'000'000) << size;
  }
  EXPECT_TRUE(whole_heap_is_valid());
}

TEST(HeapDeath, InvalidFreesEndTheProcessLikeLibcs) {
  auto killed = testing::KilledBySignal(SIGABRT);
  auto *small = static_cast<char *>(allocate(100));
  auto *large = static_cast<char *>(allocate(1'000'000));
  int local = 0;
  EXPECT_EXIT(heap::free(small + 16), killed, "invalid pointer");
  EXPECT_EXIT(heap::free(small + 1), killed, "invalid pointer");
  EXPECT_EXIT(heap::free(large + 65536), killed, "invalid pointer");
  EXPECT_EXIT(heap::free(&local), killed, "invalid pointer");
  EXPECT_EXIT(heap::free(reinterpret_cast<void *>(g_arena.base + 64)), killed, "invalid pointer");
  EXPECT_EXIT(heap::free(reinterpret_cast<void *>(g_arena.base + g_arena.size - 64)), killed,
              "invalid pointer");
  EXPECT_EXIT((heap::free(small), heap::free(small)), killed, "double free");
  EXPECT_EXIT((heap::free(large), heap::free(large)), killed, "invalid pointer");
  EXPECT_EXIT((heap::free(small), resize(small, 5)), killed, "realloc");
  EXPECT_EXIT(resize(&local, 5), killed, "realloc");
  heap::free(small);
  heap::free(large);
}

TEST(Heap, ThreadsExchangeBlocksWithoutLosingOrSharingOne) {
  constexpr int kThreads = 6;
  constexpr int kSlots = 512;
  static std::atomic<unsigned char *> slots[kSlots];
  std::vector<std::thread> threads;
  std::atomic<int> errors = 0;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([t, &errors] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int i = 0; i < 60'000; ++i) {
        size_t size = 4 + random() % (i % 50 == 0 ? 300'000 : 900);
        auto *block = static_cast<unsigned char *>(allocate(size));
        uint32_t length = static_cast<uint32_t>(size);
        std::memcpy(block, &length, 4);
        block[size - 1] = static_cast<unsigned char>(size > 4 ? 0x5a : block[size - 1]);
        unsigned char *other = slots[random() % kSlots].exchange(block);
        if (!other)
          continue;
        std::memcpy(&length, other, 4);
        if (length > 4 && other[length - 1] != 0x5a)
          ++errors;
        heap::free(other);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (auto &slot : slots)
    heap::free(slot.exchange(nullptr));
  EXPECT_EQ(errors, 0);
  EXPECT_TRUE(whole_heap_is_valid());
}

TEST(Heap, AThreadGivesItsCacheBackWhenItEnds) {
  auto run_threads = [](bool detached) {
    for (int i = 0; i < 200; ++i) {
      std::atomic<bool> done = false;
      std::thread thread([&] {
        std::vector<void *> blocks;
        for (int k = 0; k < 400; ++k)
          blocks.push_back(allocate(200));
        for (void *block : blocks)
          heap::free(block);
        done = true;
      });
      if (detached) {
        thread.detach();
        while (!done)
          std::this_thread::yield();
      } else {
        thread.join();
      }
    }
  };
  run_threads(false);
  run_threads(true);
  size_t before = arena_bytes().small_usable;
  run_threads(false);
  run_threads(true);
  // 400 more threads: had each kept its blocks, 17 MiB more would be in use.
  EXPECT_LT(arena_bytes().small_usable - before, size_t{2} << 20);
}

} // namespace
} // namespace culprit::heap
