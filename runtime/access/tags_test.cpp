// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/access/tags.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

TEST(Tags, OneThatDiffersIsSeenWhereverItIs) {
  for (size_t count = 0; count <= 40; ++count) {
    Tag tags[64];
    fill_tags(tags, 64, 8);
    EXPECT_TRUE(is_filled(tags + 3, count, 8)) << count;
    EXPECT_EQ(is_filled(tags + 3, count, 16), count == 0);
    EXPECT_EQ(first_other(tags + 3, tags + 3 + count, 8), tags + 3 + count);
    for (size_t other = 0; other < 40; ++other) {
      tags[3 + other] = 16;
      EXPECT_EQ(is_filled(tags + 3, count, 8), other >= count) << count << ", " << other;
      EXPECT_EQ(first_other(tags + 3, tags + 3 + count, 8),
                tags + 3 + (other < count ? other : count));
      tags[3 + other] = 8;
    }
    tags[2] = 16;
    EXPECT_TRUE(is_filled(tags + 3, count, 8));
  }
}

} // namespace
} // namespace culprit::access
