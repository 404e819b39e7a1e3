// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/open_file.h"

#include "engine/explain/simulated.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

OpenFile file(const Region &region) { return *open_file(&region, region.number); }

TEST(OpenFile, IsTheSameIfItHoldsTheSameAndStandsAtTheSamePlace) {
  const Region one = open_region(3, 2, "a b c");
  const Region same = open_region(3, 2, "a b c");
  EXPECT_TRUE(is_same_file(file(one), file(same)));
  for (const Region &other : {open_region(3, 4, "a b c"), open_region(3, 2, "a b d"),
                              open_region(3, 2, "a b c", CULPRIT_STREAM_ENDED)})
    EXPECT_FALSE(is_same_file(file(one), file(other)));
  EXPECT_FALSE(is_same_file(file(one), std::nullopt));
}

TEST(OpenFile, AStandardInputThatIsNoFileHoldsNothing) {
  EXPECT_FALSE(open_file(nullptr, 3));
  const Region empty = open_region(0, 0, "");
  EXPECT_TRUE(is_same_file(open_file(nullptr, 0), file(empty)));
}

TEST(OpenFile, WhatIsNotToldCannotBecomeAnother) {
  OpenFile large{.offset = 5, .size = 1ULL << 40, .name = "large"};
  OpenFile elsewhere = large;
  elsewhere.offset = 9;
  EXPECT_FALSE(is_same_file(large, elsewhere));
  EXPECT_TRUE(can_become(large, elsewhere));
  elsewhere.name = "larger";
  EXPECT_FALSE(can_become(large, elsewhere));
  EXPECT_FALSE(can_become(std::nullopt, large));
  EXPECT_TRUE(can_become(large, std::nullopt));
}

TEST(OpenFile, IsShownByTheFirstLineThatDiffers) {
  const Region one = open_region(0, 2, "x\nsame\n1 2\nmore");
  const Region other = open_region(0, 2, "x\nsame\n1 7\nmore");
  EXPECT_EQ(file_text(file(one), file(other), 40), "… \"1 2\"");
  EXPECT_EQ(file_text(file(other), file(one), 40), "… \"1 7\"");
  const Region shorter = open_region(0, 2, "x\nsame\n");
  EXPECT_EQ(file_text(file(shorter), file(one), 40), "at its end");
  const Region read = open_region(0, 7, "x\nsame\n", CULPRIT_STREAM_ENDED);
  const Region unread = open_region(0, 7, "x\nsome\n");
  EXPECT_EQ(file_text(file(read), file(unread), 40), "at byte 7, its end was read");
  EXPECT_EQ(file_text(file(unread), file(read), 40), "at byte 7");
  EXPECT_EQ(file_text(std::nullopt, file(read), 40), "closed");
}

TEST(OpenFile, GoesByWhatItIs) {
  EXPECT_EQ(file_name(0, std::nullopt), "standard input");
  EXPECT_EQ(file_name(3, OpenFile{.name = "/home/u/words.txt"}), "descriptor 3 (words.txt)");
  EXPECT_EQ(file_name(4, std::nullopt), "descriptor 4");
}

} // namespace
} // namespace culprit::explain
