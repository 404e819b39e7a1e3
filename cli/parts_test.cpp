// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/parts.h"

#include <gtest/gtest.h>

namespace culprit::cli {
namespace {

TEST(Flavour, ServesWhatIsAskedForAndNothingElse) {
  EXPECT_EQ(flavour_of({}), "both");
  EXPECT_EQ(flavour_of({.counts = true}), "both-count");
  EXPECT_EQ(flavour_of({.reads = true}), "both-reads");
  EXPECT_EQ(flavour_of({.heap = false, .reads = true, .counts = true}), "access-reads-count");
  EXPECT_EQ(flavour_of({.heap = false}), "access");
  // Counting and reads are matters of accesses alone.
  EXPECT_EQ(flavour_of({.access = false, .reads = true, .counts = true}), "monitor");
}

run::RunFile with(std::vector<run::Record> records) {
  run::RunFile file{};
  file.records = std::move(records);
  return file;
}
run::Record point() { return {0, 0, run::MetricPoint{}}; }
run::Record unit() { return {0, 0, run::AccessUnit{}}; }
run::Record counts() { return {0, 0, run::AccessCounts{}}; }

TEST(FlavourOfARunFile, IsReadOffItsRecords) {
  EXPECT_EQ(flavours_of(with({point()}), false), std::vector<std::string_view>{"monitor"});
  EXPECT_EQ(flavours_of(with({point(), unit()}), false),
            (std::vector<std::string_view>{"both", "both-count", "both-reads", "both-reads-count"}));
  EXPECT_EQ(flavours_of(with({point(), unit(), counts()}), true),
            (std::vector<std::string_view>{"both-reads-count", "both-count"}));
}

TEST(FlavourOfARunFile, ARunThatDiedEarlyMayBeOfAnyFlavourThatWatchesAccesses) {
  EXPECT_EQ(flavours_of(with({}), false), std::vector<std::string_view>{"monitor"});
  const auto all = flavours_of(with({unit()}), false);
  EXPECT_EQ(all.size(), 8U);
  EXPECT_EQ(all.front(), "access");
}

} // namespace
} // namespace culprit::cli
