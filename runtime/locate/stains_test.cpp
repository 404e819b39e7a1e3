// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stains against a model that knows every corrupt cell: what is corrupt is stained, whatever was
// defined and copied, and one stain tells of a short access.
#include "runtime/locate/stains.h"

#include "runtime/locate/ids.h"
#include "runtime/locate/values.h"

#include <gtest/gtest.h>

#include <random>

namespace culprit::locate {
namespace {

// Nothing of ours lies there, nor where its stains would be those of something else; they do not
// begin anew in the midst of it.
constexpr uintptr_t kAt = 0x2b5070000000;
constexpr size_t kStretch = size_t{1} << CULPRIT_STRETCH_SHIFT;
constexpr size_t kBytes = 16 * kStretch;
constexpr Id kCorrupt = CULPRIT_ID_CORRUPT | 3 * CULPRIT_TICK | 1;

void forget() {
  define(kAt, kBytes, 0);
  __builtin_memset(stain_of(kAt - kStretch), 0, kBytes / kStretch + 2);
}

TEST(Stains, OneTellsOfEveryAccessThatIsNotTooLong) {
  std::mt19937_64 random(1);
  for (int step = 0; step < 20'000; ++step) {
    forget();
    size_t corrupt = kStretch + random() % (kBytes - 3 * kStretch);
    size_t length = 1 + random() % 40;
    define(kAt + corrupt, length, kCorrupt);
    size_t size = 1 + random() % CULPRIT_STAIN_REACH;
    size_t from = corrupt - size + random() % (size + length);
    if (is_corrupt(id_of(kAt + from, size)))
      ASSERT_TRUE(*stain_of(kAt + from)) << from << ", " << size << " bytes; " << corrupt;
    ASSERT_TRUE(is_stained(kAt + corrupt, length));
  }
  forget();
}

TEST(Stains, WhatIsCorruptIsStainedWhateverWasDefinedAndCopied) {
  std::mt19937_64 random(2);
  __culprit_armed = 1;
  forget();
  for (int step = 0; step < 20'000; ++step) {
    if (step % 50 == 0)
      forget();
    size_t size = 1 + random() % (random() % 4 ? 64 : 3 * kStretch);
    size_t to = random() % (kBytes - size);
    size_t from = random() % (kBytes - size);
    Id id = Id(step + 1) << CULPRIT_ID_TIME_SHIFT | 7;
    if (random() % 8 == 0)
      define(kAt + to, size % 64, id | CULPRIT_ID_CORRUPT);
    else
      copy_ids(kAt + to, kAt + from, size, id);
    for (size_t at = 0; at < kBytes; at += CULPRIT_CELL_BYTES)
      if (is_corrupt(*cell_of(kAt + at)))
        ASSERT_TRUE(*stain_of(kAt + at)) << "step " << step << ", cell at " << at;
  }
  forget();
  __culprit_armed = 0;
}

TEST(Stains, FarFromWhatIsCorruptThereAreNone) {
  forget();
  define(kAt + 4 * kStretch + 500, 8, kCorrupt);
  EXPECT_TRUE(is_stained(kAt + 4 * kStretch, 1));
  EXPECT_FALSE(is_stained(kAt, 4 * kStretch));
  EXPECT_FALSE(is_stained(kAt + 5 * kStretch, kStretch));
  EXPECT_FALSE(is_stained(kAt + 4 * kStretch, 0));
  forget();
}

TEST(Stains, EveryAddressHasOneThatCanBeRead) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 1'000; ++i)
    EXPECT_LE(*stain_of(random()), 1);
  EXPECT_LE(*stain_of(~uintptr_t{0}), 1);
}

} // namespace
} // namespace culprit::locate
