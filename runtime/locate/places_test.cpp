// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which row of the table of places is an instruction's.
#include "runtime/locate/places.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <utility>

namespace culprit::locate {
namespace {

// Rows that start at these distances behind the table's start.
template <size_t N> struct Table {
  std::array<culprit_place_row, N> rows;

  explicit Table(const std::array<std::pair<uintptr_t, uint32_t>, N> &starts) {
    for (size_t i = 0; i < N; ++i)
      rows[i] = {static_cast<int32_t>(base() + starts[i].first - number(rows[i].start)),
                 starts[i].second};
  }
  static uintptr_t number(const int32_t &field) { return reinterpret_cast<uintptr_t>(&field); }
  uintptr_t base() const { return reinterpret_cast<uintptr_t>(rows.data()); }
  uint32_t at(uintptr_t distance) const {
    return find_place({rows.data(), N}, base() + distance).number;
  }
};

TEST(Places, ARowHoldsFromItsStartToTheNext) {
  const Table<3> table({{{100, 7}, {120, 0}, {200, 9}}});
  EXPECT_EQ(table.at(99), 0U);
  EXPECT_EQ(table.at(100), 7U);
  EXPECT_EQ(table.at(119), 7U);
  EXPECT_EQ(table.at(120), 0U);
  EXPECT_EQ(table.at(199), 0U);
  EXPECT_EQ(table.at(5000), 9U);
}

TEST(Places, TheOrderOfRowsDoesNotMatterUnlessTheyStartTogether) {
  const Table<4> table({{{200, 9}, {100, 7}, {100, 8}, {150, 3}}});
  EXPECT_EQ(table.at(110), 8U);
  EXPECT_EQ(table.at(160), 3U);
  EXPECT_EQ(table.at(200), 9U);
}

TEST(Places, WithoutAUnitThereAreNone) {
  EXPECT_EQ(place_at(SIGSEGV, reinterpret_cast<uintptr_t>(&place_at)).number, 0U);
  EXPECT_EQ(find_place({nullptr, 0}, 1).number, 0U);
}

} // namespace
} // namespace culprit::locate
