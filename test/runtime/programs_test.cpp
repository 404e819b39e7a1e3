// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole programs with the runtime inside, dynamic and static.
#include "test/runtime/launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

namespace culprit::test {
namespace {

struct ProgramLinked : testing::TestWithParam<const char *> {
  static std::string program(const std::string &name) { return test::program(name + GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(BothWays, ProgramLinked, testing::Values("", ".static"),
                         [](const auto &info) {
                           return *info.param ? "Statically" : "Dynamically";
                         });

TEST_P(ProgramLinked, ACProgramUsesTheWholeFamily) {
  Ended ended = run({{program("family")}, {}});
  EXPECT_EQ(ended.output, "fine\n") << ended.errors;
  EXPECT_EQ(ended.status, 0);
}

TEST_P(ProgramLinked, ACxxProgramAllocatesAndThrows) {
  Ended ended = run({{program("cxx")}, {}});
  EXPECT_EQ(ended.output, "fine\n") << ended.errors;
  EXPECT_EQ(ended.status, 0);
}

TEST_P(ProgramLinked, ForkFromAThreadedProcessLeavesAWorkingHeap) {
  Ended ended = run({{program("fork_storm"), "150"}, {}});
  EXPECT_EQ(ended.output, "fine\n") << ended.errors;
  EXPECT_EQ(ended.status, 0);
}

TEST_P(ProgramLinked, ASingleThreadGetsTheSameAddressesInEveryRun) {
  Ended first = run({{program("addresses")}, {}});
  Ended second = run({{program("addresses")}, {"MORE_ENVIRONMENT=x"}});
  EXPECT_EQ(std::count(first.output.begin(), first.output.end(), '\n'), 40);
  EXPECT_EQ(first.output, second.output);
  EXPECT_NE(first.output.find("0x2000"), std::string::npos); // where the arena should be
}

TEST_P(ProgramLinked, RunsUnderAnAddressSpaceLimit) {
  // 1 TiB cannot be reserved here: the arena is halved until it fits.
  Ended ended = run({{"sh", "-c", "ulimit -v 2000000; exec " + program("family")}, {}});
  EXPECT_EQ(ended.output, "fine\n") << ended.errors;
}

} // namespace
} // namespace culprit::test
