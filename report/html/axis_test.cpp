// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/axis.h"

#include <cmath>
#include <gtest/gtest.h>

namespace culprit::report::html {
namespace {

TEST(Axis, EndsAreItsEnds) {
  const Axis plain{.low = 10, .high = 30};
  EXPECT_DOUBLE_EQ(plain.place(10), 0);
  EXPECT_DOUBLE_EQ(plain.place(20), 0.5);
  const Axis reversed{.low = 0, .high = 1, .reversed = true};
  EXPECT_DOUBLE_EQ(reversed.place(1), 0);
  const Axis decades{.low = 1, .high = 100, .logarithmic = true};
  EXPECT_DOUBLE_EQ(decades.place(10), 0.5);
  EXPECT_DOUBLE_EQ(decades.place(0), 0) << "below its beginning, not at minus infinity";
}

TEST(Axis, TicksAreRoundAndWithin) {
  EXPECT_EQ((Axis{.unit = Unit::percent, .low = 11.3, .high = 18.4}.ticks(4)),
            (std::vector<double>{12, 14, 16, 18}));
  EXPECT_EQ((Axis{.low = 0, .high = 2}.ticks(8)), (std::vector<double>{0, 1, 2}))
      << "no half objects";
  EXPECT_EQ((Axis{.low = 1, .high = 50, .logarithmic = true}.ticks(4)),
            (std::vector<double>{1, 2, 5, 10, 20, 50}));
  EXPECT_EQ((Axis{.low = 3, .high = 3}.ticks(4)), std::vector<double>{3});
}

TEST(Axis, WithoutExtentEverythingIsInTheMiddle) {
  const Axis none{.low = 3, .high = 3};
  EXPECT_DOUBLE_EQ(none.place(3), 0.5);
}

TEST(ValueText, FollowsTheUnit) {
  EXPECT_EQ(value_text(Unit::percent, 31), "31.0 %");
  EXPECT_EQ(value_text(Unit::share, 0.31), "31.0 %");
  EXPECT_EQ(value_text(Unit::bytes, 4.5e6), "4.5 MB");
  EXPECT_EQ(value_text(Unit::count, 1204), "1,204");
  EXPECT_EQ(value_text(Unit::count, std::nan("")), "–");
  EXPECT_EQ(value_text(unit_named("%"), 1), "1.0 %");
}

} // namespace
} // namespace culprit::report::html
