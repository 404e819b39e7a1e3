// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/access/families.h"

#include "runtime/access/unit_for_tests.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

// 1028 and 16 have little in common: blocks of several such structs repeat after 257 granules only.
TEST(Families, ALargeStructOfOddSizeHasMembers) {
  static TestUnit unit(0xfa3, {1}, 1028, {0, 480, 960}, false);
  unit.enter();
  culprit_variable variable = unit.local(0, 1028, /*with_layout=*/true);
  uint32_t number = family_of_variable(variable, CULPRIT_NAME_GLOBAL);
  ASSERT_NE(number, 0u);
  const Family &family = g_families[number];
  EXPECT_EQ(family.members, 3u);
  EXPECT_EQ(name_at(family, 479), family.first);
  EXPECT_EQ(name_at(family, 480), family.first + 1);
}

} // namespace
} // namespace culprit::access
