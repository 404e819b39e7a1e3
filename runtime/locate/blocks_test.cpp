// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks against a model: what was asked for, what is in it, which ids its cells have. This test
// binary is itself a locate flavour (ids_test.cpp), so malloc here is what is tested.
#include "runtime/locate/blocks.h"

#include "runtime/locate/child_for_tests.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/quarantine.h"
#include "runtime/locate/values.h"
#include "runtime/start/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <csignal>
#include <malloc.h>

namespace culprit::locate {
namespace {

uintptr_t number(const void *address) { return reinterpret_cast<uintptr_t>(address); }

Id next_id() {
  static Id clock;
  clock += CULPRIT_TICK;
  return clock | 9;
}

// As instrumented code calls it.
template <typename Call> auto with_id(Id id, Call call) {
  __culprit_allocation_id = id;
  auto result = call();
  EXPECT_EQ(__culprit_allocation_id, 0u);
  return result;
}

void *get(size_t size, Id id) {
  return with_id(id, [&] { return std::malloc(size); });
}

void put(void *block, Id id, Id leaf = 0) {
  __culprit_leaves[0] = leaf;
  with_id(id, [&] {
    std::free(block);
    return 0;
  });
}

void give_up(void *block, bool by_realloc) {
  if (by_realloc)
    block = std::realloc(block, 10);
  else
    std::free(block);
}

// A write as instrumented code makes it.
void write_byte(void *at, unsigned char value, Id id) {
  *static_cast<volatile unsigned char *>(at) = value;
  *cell_of(number(at)) = id;
}

size_t random_size(std::mt19937_64 &random) {
  switch (random() % 24) {
  case 0:
    return random() % 3'000'000;
  case 1:
  case 2:
    return random() % 200'000;
  case 3:
    return 0;
  default:
    return random() % 1000;
  }
}

struct Expected {
  size_t size;
  unsigned char seed;
  Id id;
};

TEST(Blocks, AreAsAskedForAndKeepContentAndIds) {
  std::mt19937_64 random(3);
  std::map<uintptr_t, Expected> live;
  auto check = [&](uintptr_t at, const Expected &expected, size_t bytes) {
    const auto *content = reinterpret_cast<const unsigned char *>(at);
    for (size_t i = 0; i < bytes; i += bytes > 5000 ? 997 : 1)
      ASSERT_EQ(content[i], expected.seed);
    ASSERT_EQ(malloc_usable_size(reinterpret_cast<void *>(at)), expected.size);
  };
  auto add = [&](void *block, size_t size, Id id) {
    uintptr_t at = number(block);
    ASSERT_TRUE(block);
    auto next = live.lower_bound(at);
    if (next != live.end())
      ASSERT_LE(at + size + kGuardBytes, next->first);
    if (next != live.begin())
      ASSERT_LE(std::prev(next)->first + std::prev(next)->second.size + kGuardBytes, at);
    if (size && size <= kLargestStamped) {
      ASSERT_EQ(id_of(at, size), id);
      ASSERT_EQ(id_of(at, 1), id);
    }
    for (size_t i = 1; i <= kGuardBytes / 4; ++i)
      ASSERT_EQ(*cell_of(at - 4 * i), 0u);
    auto seed = static_cast<unsigned char>(random());
    std::memset(block, seed, size);
    live[at] = {size, seed, id};
  };
  for (int step = 0; step < 10'000; ++step) {
    size_t size = random_size(random);
    Id id = next_id();
    if (live.size() < 200 || random() % 2) {
      switch (random() % 4) {
      case 0: {
        auto *block =
            static_cast<unsigned char *>(with_id(id, [&] { return std::calloc(1, size); }));
        for (size_t i = 0; i < size; i += size > 5000 ? 997 : 1)
          ASSERT_EQ(block[i], 0);
        add(block, size, id);
        break;
      }
      case 1: {
        size_t alignment = size_t{1} << (3 + random() % 15);
        void *block = nullptr;
        __culprit_allocation_id = id;
        ASSERT_EQ(posix_memalign(&block, alignment, size), 0);
        ASSERT_EQ(number(block) % alignment, 0u);
        add(block, size, id);
        break;
      }
      default: {
        auto *block = static_cast<unsigned char *>(get(size, id));
        for (size_t i = 0; i < size && size <= kLargestStamped; i += size > 5000 ? 997 : 1)
          ASSERT_EQ(block[i], kFresh);
        add(block, size, id);
      }
      }
    } else {
      auto chosen = std::next(live.begin(), static_cast<ptrdiff_t>(random() % live.size()));
      auto [at, expected] = *chosen;
      auto *block = reinterpret_cast<void *>(at);
      check(at, expected, expected.size);
      live.erase(chosen);
      if (random() % 2 && size) {
        void *moved = with_id(id, [&] { return std::realloc(block, size); });
        size_t kept = std::min(size, expected.size);
        const auto *content = static_cast<const unsigned char *>(moved);
        for (size_t i = 0; i < kept; i += kept > 5000 ? 997 : 1)
          ASSERT_EQ(content[i], expected.seed);
        // Whole cells keep their ids.
        if (size <= kLargestStamped && expected.size <= kLargestStamped) {
          if (kept >= 4)
            ASSERT_EQ(id_of(number(moved), kept / 4 * 4), expected.id);
          if (size > kept + 3)
            ASSERT_EQ(id_of(number(moved) + (kept + 3) / 4 * 4, 1), id);
        }
        define(number(moved), size, id);
        add(moved, size, id);
      } else {
        put(block, id, 77);
        Block block = find_block(at);
        ASSERT_TRUE(block.row);
        const BlockRow *row = block.row;
        if (block.payload == at && row->state == BlockState::freed) { // it may have been evicted
          ASSERT_EQ(row->freed, id);
          ASSERT_EQ(row->freed_leaf, 77u);
          ASSERT_EQ(row->allocated, expected.id);
        }
      }
    }
    if (HasFatalFailure())
      FAIL() << "step " << step;
  }
  for (auto &[at, expected] : live) {
    check(at, expected, expected.size);
    std::free(reinterpret_cast<void *>(at));
  }
}

TEST(Blocks, EveryByteBesideThemIsGuarded) {
  for (size_t size : {0, 1, 5, 8, 13, 16, 100, 4000, 150'000, 2'000'000})
    for (int where : {-8, -1, 0, 1, 3, 7}) {
      auto body = [&](bool free_it) {
        return in_child([=] {
          auto *block = static_cast<unsigned char *>(get(size, 100));
          auto *at = block + (where < 0 ? where : static_cast<ptrdiff_t>(size) + where);
          write_byte(at, 0, 500);
          if (free_it)
            put(block, 600);
          _exit(5);
        });
      };
      for (bool free_it : {true, false}) {
        Ended ended = body(free_it);
        ASSERT_TRUE(ended.crash) << size << " " << where << " " << free_it;
        EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_GUARD});
        EXPECT_EQ(ended.crash->written, 500u);
        EXPECT_EQ(free_it ? ended.signal() : ended.code(), free_it ? SIGABRT : 5);
        if (where == -8 || where == 7)
          continue; // nearer to a neighbour, if there is one
        EXPECT_EQ(ended.crash->allocated, 100u);
        EXPECT_EQ(ended.crash->block_size, size);
        EXPECT_EQ(ended.crash->address - ended.crash->block,
                  static_cast<uint64_t>(where < 0 ? where : static_cast<ptrdiff_t>(size) + where));
      }
    }
}

// Whatever is allocated and freed around it before anybody looks.
TEST(Blocks, AWriteBesideOneIsToldSoonerOrLater) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Ended ended = in_child([=] {
      std::mt19937_64 random(seed);
      std::vector<std::pair<char *, size_t>> blocks(60);
      auto change = [&](bool spare, size_t spared) {
        size_t chosen = random() % blocks.size();
        if (spare && chosen == spared)
          return;
        auto &[block, size] = blocks[chosen];
        size = random() % 60;
        if (random() % 3 == 0) {
          block = static_cast<char *>(std::realloc(block, size + 1));
          ++size;
        } else {
          std::free(block);
          block = static_cast<char *>(std::malloc(size));
        }
      };
      for (int i = 0; i < 2000; ++i)
        change(false, 0);
      for (int i = 0; i < 40; ++i)
        std::free(std::malloc(500'000)); // what was freed so far can be used again
      size_t victim = random() % blocks.size();
      while (!blocks[victim].first)
        victim = random() % blocks.size();
      auto [block, size] = blocks[victim];
      char *at = random() % 2 ? block + size + random() % 8 : block - 1 - random() % 8;
      write_byte(at, 1, 4321);
      __culprit_place = static_cast<uint32_t>(number(at));
      bool spare = random() % 2;
      for (int i = 0; i < 300; ++i)
        change(spare, victim);
      _exit(0);
    });
    ASSERT_TRUE(ended.crash) << seed;
    EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_GUARD});
    EXPECT_EQ(ended.crash->written, 4321u);
    EXPECT_EQ(static_cast<uint32_t>(ended.crash->address), ended.crash->place);
  }
}

TEST(Blocks, OfSeveralWritesTheEarliestIsTold) {
  Ended ended = in_child([] {
    auto *first = static_cast<unsigned char *>(get(20, 1));
    auto *second = static_cast<unsigned char *>(get(20, 2));
    write_byte(first + 20, 1, 900);
    write_byte(second + 24, 1, 700);
    write_byte(second + 20, 1, 800);
    _exit(0);
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->written, 700u);
  EXPECT_EQ(ended.crash->allocated, 2u);
}

TEST(Blocks, OneThatMovedIsFreeByADefinitionOfItsOwn) {
  const Id id = next_id();
  auto *block = static_cast<unsigned char *>(get(20, id - 5));
  auto *moved = static_cast<unsigned char *>(with_id(id, [&] { return std::realloc(block, 40); }));
  EXPECT_EQ(find_block(number(block)).row->freed, id + 1);
  EXPECT_EQ(*cell_of(number(block)), id + 1);
  EXPECT_EQ(find_block(number(moved)).row->allocated, id);
  EXPECT_EQ(*cell_of(number(moved) + 36), id);
  std::free(moved);
}

TEST(Blocks, WhatIsKnownToBeCorruptIsRepaired) {
  Ended ended = in_child([] {
    auto *block = static_cast<unsigned char *>(get(20, 1));
    write_byte(block + 20, 1, CULPRIT_ID_CORRUPT | 700);
    write_byte(block - 1, 1, CULPRIT_ID_CORRUPT | 700);
    auto *moved = static_cast<unsigned char *>(std::realloc(block, 30));
    write_byte(block + 5, 1, CULPRIT_ID_CORRUPT | 900); // freed
    write_byte(moved + 33, 1, CULPRIT_ID_CORRUPT | 900);
    std::free(moved);
    _exit(moved[33] == kGuard ? 3 : 4);
  });
  EXPECT_FALSE(ended.crash);
  EXPECT_EQ(ended.code(), 3);
}

TEST(Blocks, WritingAFreedOneIsFoundAtExitAndWhenItLeaves) {
  for (bool at_exit : {true, false}) {
    Ended ended = in_child([=] {
      auto *block = static_cast<unsigned char *>(get(100, 1));
      put(block, 200, 150);
      if (block[40] != kFreed || *cell_of(number(block) + 40) != 200)
        _exit(1);
      write_byte(block + 40, 1, 300);
      if (at_exit)
        _exit(0);
      for (;;)
        std::free(std::malloc(100'000));
    });
    ASSERT_TRUE(ended.crash);
    EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_FREED_WRITE});
    EXPECT_EQ(ended.crash->written, 300u);
    EXPECT_EQ(ended.crash->address, ended.crash->block + 40);
    EXPECT_EQ(ended.crash->freed, 200u);
    EXPECT_EQ(ended.crash->freed_leaf, 150u);
    EXPECT_EQ(at_exit ? ended.code() : ended.signal(), at_exit ? 0 : SIGABRT);
  }
}

TEST(Blocks, FreshOnesMayBeZeroAndFreedOnesKeepWhatTheyHeld) {
  Ended ended = in_child([] {
    g_contents = contents_of(CULPRIT_CONTENTS_LEFT);
    g_contents.guard = kGuard; // those that are there already
    auto *block = static_cast<unsigned char *>(get(24, 1));
    if (std::count(block, block + 24, 0) != 24)
      _exit(1);
    block[5] = 9;
    put(block, 200);
    if (block[5] != 9 || *cell_of(number(block) + 5) != 200)
      _exit(2);
    _exit(0); // it does not look as freed memory otherwise does
  });
  EXPECT_FALSE(ended.crash);
  EXPECT_EQ(ended.code(), 0);
}

TEST(Blocks, WhereFreshOnesAreZeroSoIsWhatLiesBehindThem) {
  constexpr size_t kSize = 300'001;
  for (bool is_written : {false, true}) {
    Ended ended = in_child([&] {
      g_contents = contents_of(CULPRIT_CONTENTS_ZERO);
      auto *block = static_cast<unsigned char *>(get(kSize, 1));
      if (block[kSize] != 0)
        _exit(1);
      if (is_written)
        write_byte(block + kSize, 1, 300);
      put(block, 200);
      raise(SIGKILL); // those from before are not as they should be, and would be told at exit
    });
    ASSERT_EQ(ended.crash.has_value(), is_written);
    if (is_written)
      EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_GUARD});
    else
      EXPECT_EQ(ended.signal(), SIGKILL);
  }
}

// A table that is indexed far in front of it, or far behind it.
TEST(Blocks, WhereTheyLieApartEachHasAKiBOnEitherSide) {
  constexpr size_t kSize = 110'001;         // of its size class there is none yet
  for (const bool is_first : {true, false}) // in its span
    for (const int where : {-1000, -513, -9, 110'001 + 9, 110'001 + 900}) {
      Ended ended = in_child([&] {
        g_contents = contents_of(CULPRIT_CONTENTS_APART);
        std::vector<unsigned char *> blocks;
        for (int i = 0; i < 3; ++i)
          blocks.push_back(static_cast<unsigned char *>(get(kSize, 100 + i)));
        unsigned char *block = blocks[is_first ? 0 : 1];
        write_byte(block + where, 1, 300);
        put(blocks[0], 200); // what is behind it is its own guard
        put(blocks[1], 201);
        raise(SIGKILL); // those from before are not as they should be, and would be told at exit
      });
      ASSERT_TRUE(ended.crash) << is_first << " " << where;
      EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_GUARD});
      EXPECT_EQ(ended.crash->written, 300u);
      EXPECT_EQ(ended.crash->allocated, is_first ? 100u : 101u) << where;
    }
}

TEST(Blocks, OfSeveralThatAreOverrunTheFirstIsToldWhoeverIsFreedFirst) {
  Ended ended = in_child([] {
    auto *first = static_cast<unsigned char *>(get(24, 1));
    auto *second = static_cast<unsigned char *>(get(24, 2));
    write_byte(first + 24, 1, 300);
    write_byte(second + 24, 1, 400);
    put(second, 500);
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_GUARD});
  EXPECT_EQ(ended.crash->written, 300u);
}

TEST(Blocks, UsingALargeFreedOneFaults) {
  Ended ended = in_child([] {
    auto *block = static_cast<volatile unsigned char *>(get(5'000'000, 1));
    block[10'000] = 1;
    put(const_cast<unsigned char *>(block), 200);
    block[10'000] = 2;
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_SIGNAL});
  EXPECT_EQ(ended.crash->address, ended.crash->block + 10'000);
  EXPECT_EQ(ended.crash->block_size, 5'000'000u);
  EXPECT_EQ(ended.crash->freed, 200u);
  EXPECT_EQ(ended.signal(), SIGSEGV);
}

TEST(Blocks, FreeingTwiceTellsOfTheFirst) {
  for (size_t size : {size_t{30}, size_t{300'000}, size_t{3'000'000}})
    for (bool by_realloc : {true, false})
      for (bool is_reusable : {true, false}) {
        Ended ended = in_child([=] {
          void *block = get(size, 1);
          put(block, 200, 150);
          if (is_reusable) {
            Block found = find_block(number(block));
            while (found.row->state != BlockState::reusable)
              std::free(std::malloc(500'000));
          }
          __culprit_leaves[0] = 170;
          give_up(block, by_realloc);
        });
        ASSERT_TRUE(ended.crash);
        if (is_reusable && size > 100'000)
          continue; // its pages may be another block's by now
        EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_DOUBLE_FREE}) << size;
        EXPECT_EQ(ended.crash->freed, 200u);
        EXPECT_EQ(ended.crash->freed_leaf, 150u);
        EXPECT_EQ(ended.crash->leaves[0], 170u);
        EXPECT_EQ(ended.signal(), SIGABRT);
      }
}

TEST(Blocks, FreeingWhatIsNoBlockIsACrash) {
  static char global[64];
  int local = 0;
  auto *block = static_cast<char *>(get(100, 33));
  for (char *bad : {block + 1, block + 16, global, reinterpret_cast<char *>(&local),
                    reinterpret_cast<char *>(kArenaBase + 5), reinterpret_cast<char *>(16)}) {
    for (bool by_realloc : {true, false}) {
      Ended ended = in_child([=] { give_up(bad, by_realloc); });
      ASSERT_TRUE(ended.crash);
      EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_BAD_FREE});
      EXPECT_EQ(ended.crash->address, number(bad));
      EXPECT_EQ(ended.crash->block, bad >= block && bad <= block + 16 ? number(block) : 0);
    }
  }
  std::free(block);
}

TEST(Quarantine, GivesTheOldestBackWhenItsBytesAreTooMany) {
  Ended ended = in_child([] {
    constexpr size_t kBytes = 57'344; // of the heap's block
    constexpr uint64_t kLeast = uint64_t{2} << 20;
    std::vector<void *> blocks(3000);
    for (void *&block : blocks)
      block = std::malloc(50'000);
    std::set<void *> freed;
    uint64_t live = blocks.size() * kBytes;
    for (void *block : blocks) {
      std::free(block);
      freed.insert(block);
      live -= kBytes;
      uint64_t limit = std::min(start::options().quarantine, std::max(kLeast, live / 8));
      // This program has some other blocks.
      if (quarantined_bytes() > limit + (1 << 20) ||
          quarantined_bytes() + (1 << 20) < std::min(limit, freed.size() * kBytes))
        _exit(1);
    }
    // The first are reusable, in the order they were freed.
    bool was_kept = false;
    size_t reusable = 0;
    for (void *block : blocks) {
      bool is_kept = find_block(number(block)).row->state == BlockState::freed;
      if (was_kept && !is_kept)
        _exit(2);
      was_kept = is_kept;
      reusable += !is_kept;
    }
    if (reusable < 2930 || reusable > 2990)
      _exit(3);
    size_t again = 0; // but for what the thread's cache still had
    for (size_t i = 0; i < reusable; ++i)
      again += freed.count(std::malloc(50'000));
    if (again + 16 < reusable)
      _exit(4);
  });
  EXPECT_EQ(ended.code(), 0);
  EXPECT_FALSE(ended.crash);
}

// Far more than the ring has room for at first, and from some place in its middle on.
TEST(Quarantine, KeepsTheOrderWhenItsRingGrows) {
  Ended ended = in_child([] {
    for (int i = 0; i < 700; ++i)
      std::free(std::malloc(50'000));
    std::vector<void *> blocks(60'000);
    for (void *&block : blocks)
      block = std::malloc(100);
    std::shuffle(blocks.begin(), blocks.end(), std::mt19937_64(7));
    auto waits = [&](size_t i) {
      return find_block(number(blocks[i])).row->state == BlockState::freed;
    };
    size_t left = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
      std::free(blocks[i]);
      while (left < i && !waits(left))
        ++left;
      for (size_t j = left; i % 5000 == 0 && j <= i; ++j)
        if (!waits(j))
          _exit(1);
    }
    if (left < 30'000 || left > 50'000)
      _exit(2);
  });
  EXPECT_EQ(ended.code(), 0);
  EXPECT_FALSE(ended.crash);
}

TEST(Quarantine, GivesFromBesideWhatWasFreedLastButNoneOfTheYoungest) {
  Ended ended = in_child([] {
    constexpr size_t kBytes = 48; // of the heap's block
    constexpr uint64_t kYoung = uint64_t{512} << 10;
    // 6 MiB are alive: the quarantine takes 2 MiB.
    std::vector<void *> blocks((size_t{6} << 20) / kBytes);
    for (void *&block : blocks)
      block = std::malloc(40);
    // Nothing else is allocated meanwhile.
    auto [lowest, highest] = std::minmax_element(blocks.begin(), blocks.end());
    uintptr_t base = number(*lowest);
    std::vector<uint64_t> freed_at((number(*highest) - base + (size_t{8} << 20)) / 16);
    uint64_t freed = kBytes;
    size_t again = 0;
    size_t near = 0;
    std::mt19937_64 random(5);
    for (size_t i = 0; i < 200'000; ++i) {
      // In one part of the heap for a while, then in another, as programs do.
      size_t part = i / 200 % 128 * 16;
      void *&block = blocks[part * 64 + random() % 64];
      uintptr_t last = number(block);
      std::free(block);
      freed += kBytes;
      if ((last - base) / 16 < freed_at.size())
        freed_at[(last - base) / 16] = freed;
      block = std::malloc(40);
      uintptr_t next = number(block);
      if ((next - base) / 16 >= freed_at.size() || !freed_at[(next - base) / 16])
        continue;
      if (freed - freed_at[(next - base) / 16] < kYoung)
        _exit(1);
      ++again;
      near += (next > last ? next - last : last - next) < 128 * kBytes;
    }
    if (again < 100'000 || near < again / 2)
      _exit(2);
  });
  EXPECT_EQ(ended.code(), 0);
  EXPECT_FALSE(ended.crash);
}

TEST(Quarantine, TheSameCallsGiveTheSameAddresses) {
  auto run = [] {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    in_child([&] {
      std::mt19937_64 random(4);
      uint64_t hash = 0;
      std::vector<void *> blocks(100);
      for (int i = 0; i < 20'000; ++i) {
        void *&block = blocks[random() % blocks.size()];
        std::free(block);
        block = std::malloc(random_size(random) / 4);
        hash = (hash ^ number(block)) * 0x9e3779b97f4a7c15;
      }
      if (write(ends[1], &hash, sizeof hash) != sizeof hash)
        _exit(1);
    });
    uint64_t hash = 0;
    EXPECT_EQ(read(ends[0], &hash, sizeof hash), ssize_t{sizeof hash});
    close(ends[0]);
    close(ends[1]);
    return hash;
  };
  EXPECT_EQ(run(), run());
}

} // namespace
} // namespace culprit::locate
