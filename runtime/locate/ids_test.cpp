// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of ranges against a model that knows every byte's cell.
#include "runtime/locate/ids.h"

#include "abi/features.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

// This test binary is a locate flavour: gtest lives on its heap, and its crashes are ours.
extern "C" const unsigned char __culprit_features;
const unsigned char __culprit_features = CULPRIT_FEATURE_LOCATE | CULPRIT_FEATURE_SUPPRESS;

namespace culprit::locate {
namespace {

constexpr size_t kCells = 24;
constexpr size_t kBytes = kCells * CULPRIT_CELL_BYTES;

struct Memory {
  alignas(16) unsigned char bytes[kBytes];
  std::vector<Id> model = std::vector<Id>(kCells);

  uintptr_t at(size_t offset) const { return reinterpret_cast<uintptr_t>(bytes) + offset; }

  void define_model(size_t from, size_t size, Id id) {
    for (size_t i = from; i < from + size; ++i)
      model[i / CULPRIT_CELL_BYTES] = id;
  }

  // Cell by cell: where each of its bytes comes from.
  void copy_model(size_t to, size_t from, size_t size, Id id) {
    std::vector<Id> old = model;
    for (size_t cell = 0; cell < kCells; ++cell) {
      Id corrupt = 0;
      size_t copied = 0;
      bool one_cell = true;
      size_t source = kCells;
      for (size_t i = cell * 4; i < cell * 4 + 4; ++i) {
        if (i < to || i >= to + size)
          continue;
        size_t origin = (i - to + from) / 4;
        one_cell =
            one_cell && (source == kCells || source == origin) && (i - to + from) % 4 == i % 4;
        source = origin;
        if (is_corrupt(old[origin]))
          corrupt = std::max(corrupt, old[origin]);
        ++copied;
      }
      if (copied)
        model[cell] = copied == 4 && one_cell ? old[source] : corrupt ? std::max(corrupt, id) : id;
    }
  }

  Id newest_model(size_t from, size_t size) const {
    Id newest = 0;
    for (size_t i = from; i < from + size; ++i)
      newest = std::max(newest, model[i / 4]);
    return newest;
  }

  void check() const {
    for (size_t cell = 0; cell < kCells; ++cell)
      ASSERT_EQ(*cell_of(at(cell * 4)), model[cell]) << "cell " << cell;
  }
};

TEST(Ids, AreThoseOfAModelOfCellsWhateverIsDefinedAndCopied) {
  std::mt19937_64 random(1);
  Memory memory;
  define(memory.at(0), kBytes, 0);
  for (int step = 0; step < 200'000; ++step) {
    size_t size = random() % (kBytes / 2);
    size_t to = random() % (kBytes - size);
    size_t from = random() % (kBytes - size);
    Id id = Id(step + 1) << CULPRIT_ID_TIME_SHIFT | 7;
    if (random() % 8 == 0)
      id |= CULPRIT_ID_CORRUPT;
    if (random() % 16 == 0)
      id = 0;
    switch (random() % 3) {
    case 0:
      define(memory.at(to), size, id);
      memory.define_model(to, size, id);
      break;
    default:
      copy_ids(memory.at(to), memory.at(from), size, id);
      if (to != from)
        memory.copy_model(to, from, size, id);
    }
    ASSERT_EQ(id_of(memory.at(from), size), memory.newest_model(from, size));
    memory.check();
    if (HasFatalFailure())
      FAIL() << "step " << step << ": " << from << " to " << to << ", " << size << " bytes";
  }
}

TEST(Ids, OfATextAreThoseOfItsBytesAndOfTheZeroThatEndsIt) {
  alignas(4) char text[16] = "abcdefg"; // two cells
  define(reinterpret_cast<uintptr_t>(text), sizeof text, 5);
  define(reinterpret_cast<uintptr_t>(text) + 8, 8, 9);
  EXPECT_EQ(id_of_text(text), 5u);
  text[7] = 'h'; // the zero is in the third
  EXPECT_EQ(id_of_text(text), 9u);
}

TEST(Ids, AnEmptyRangeHasNone) {
  int word = 0;
  auto at = reinterpret_cast<uintptr_t>(&word);
  define(at, 4, 3);
  define(at, 0, 4);
  EXPECT_EQ(*cell_of(at), 3u);
  EXPECT_EQ(id_of(at, 0), 0u);
  copy_ids(at, at + 100, 0, 8);
  EXPECT_EQ(*cell_of(at), 3u);
}

TEST(Shadow, EveryAddressHasACellThatCanBeRead) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1'000; ++i)
    EXPECT_EQ(id_of(random(), 0) + (*cell_of(random()) & 0), 0u);
  EXPECT_EQ(id_of(~uintptr_t{0} - 2, 100), 0u) << "stops at the end of the shadow";
  define(~uintptr_t{0} - 100, 4096, 0);
}

TEST(Shadow, ClearingALongRangeLeavesWhatIsBesideIt) {
  // Nothing of ours lies there.
  constexpr uintptr_t kAt = 0x2b0000000000 + 20;
  for (size_t size : {size_t{40}, size_t{300'000}, size_t{5'000'001}}) {
    define(kAt - 4, size + 8, 6);
    define(kAt, size, 0);
    EXPECT_EQ(*cell_of(kAt - 4), 6u);
    EXPECT_EQ(id_of(kAt, size), 0u);
    EXPECT_EQ(*cell_of(kAt + ((size + 3) & ~size_t{3})), 6u);
    define(kAt - 4, size + 8, 0);
  }
}

TEST(Shadow, WhatWePlaceSharesNoCellWithExecutablesAndLibraries) {
  auto cells = [](uintptr_t address) { return address & CULPRIT_SHADOW_MASK; };
  for (uintptr_t ours : {kArenaBase, kArenaBase + (uintptr_t{1} << 40), kDataStackTop})
    for (uintptr_t theirs :
         {uintptr_t{0x400000}, uintptr_t{0x555555554000}, uintptr_t{0x7f0000000000}})
      EXPECT_GT(cells(ours) > cells(theirs) ? cells(ours) - cells(theirs)
                                            : cells(theirs) - cells(ours),
                uintptr_t{1} << 40);
}

TEST(Ids, WhatACopyWritesBehindABlockIsTheCopysOwn) {
  auto *block = static_cast<char *>(malloc(6));
  alignas(16) char source[32];
  define(reinterpret_cast<uintptr_t>(source), sizeof source, 5 * CULPRIT_TICK | 1);
  copy_ids(reinterpret_cast<uintptr_t>(block), reinterpret_cast<uintptr_t>(source), 14,
           9 * CULPRIT_TICK | 2);
  EXPECT_EQ(*cell_of(reinterpret_cast<uintptr_t>(block)), 5 * CULPRIT_TICK | 1);
  for (size_t offset : {4, 8, 12})
    EXPECT_EQ(*cell_of(reinterpret_cast<uintptr_t>(block) + offset), 9 * CULPRIT_TICK | 2)
        << offset;
  define(reinterpret_cast<uintptr_t>(block) + 8, 8, 0);
  free(block);
}

} // namespace
} // namespace culprit::locate
