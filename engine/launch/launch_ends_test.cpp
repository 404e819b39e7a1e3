// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// However a launch ends, nothing it started is left, and nothing it uses goes beyond its limits.
#include "engine/launch/launch_fixture.h"

#include <csignal>

namespace culprit::launch {
namespace {

using std::chrono::milliseconds;

// Where the system refuses namespaces, a reaper has to do what a process namespace does by itself.
class LaunchEnds : public LaunchTest, public testing::WithParamInterface<Namespaces> {
protected:
  Request shell(std::string script) const {
    Request request = LaunchTest::shell(std::move(script));
    request.namespaces = GetParam();
    return request;
  }
};

INSTANTIATE_TEST_SUITE_P(, LaunchEnds, testing::Values(Namespaces::automatic, Namespaces::none),
                         [](const auto &parameter) {
                           return parameter.param == Namespaces::none ? "WithoutNamespaces"
                                                                      : "Automatic";
                         });

TEST_P(LaunchEnds, ATimeOutEndsGrandchildrenAndDaemons) {
  std::string child = unique_sleep();
  std::string daemon = unique_sleep();
  // The daemon is in a session of its own, its parents are gone, and it ignores what can be
  // ignored.
  Request request =
      shell("(sleep " + child + ") & " + "setsid sh -c \"trap '' HUP TERM INT; (sleep " + daemon +
            ") & exit\" & while :; do sleep 1; done");
  request.limits.timeout = milliseconds(2000);
  Outcome outcome;
  {
    std::jthread launcher([&] { outcome = launch(request); });
    EXPECT_TRUE(wait_until_running(child));
    EXPECT_TRUE(wait_until_running(daemon));
  }
  EXPECT_EQ(outcome.status.ending, Ending::timed_out);
  EXPECT_GE(outcome.wall, milliseconds(2000));
  EXPECT_FALSE(is_anything_left(child));
  EXPECT_FALSE(is_anything_left(daemon));
}

TEST_P(LaunchEnds, WhatATargetLeavesBehindEndsWithIt) {
  std::string daemon = unique_sleep();
  Outcome outcome = launch(shell("setsid sleep " + daemon + " & while ! grep -qs ^sleep " +
                                 "/proc/$!/cmdline; do :; done; echo started; exit 7"));
  EXPECT_EQ(outcome.status, (Status{Ending::exited, 7}));
  EXPECT_EQ(outcome.out, "started\n");
  EXPECT_FALSE(is_anything_left(daemon));
}

TEST_P(LaunchEnds, StoppingEndsEverything) {
  std::string child = unique_sleep();
  std::stop_source source;
  std::jthread asker([&] {
    EXPECT_TRUE(wait_until_running(child));
    source.request_stop();
  });
  Result<Outcome> outcome =
      run(shell("trap '' TERM; echo begun; sleep " + child + "; sleep 100"), source.get_token());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status.ending, Ending::cancelled);
  EXPECT_EQ(outcome->out, "begun\n");
  EXPECT_FALSE(is_anything_left(child));
}

TEST_P(LaunchEnds, TheMemoryLimitCountsWhatIsTouchedNotWhatIsReserved) {
  Request modest{.program = {.original = test_program("eater")},
                 .input = {.arguments = {"20"}},
                 .directory = work_};
  modest.namespaces = GetParam();
  modest.limits.memory_bytes = 200ULL << 20;
  EXPECT_TRUE(launch(modest).status.success());
  Request greedy = modest;
  greedy.input.arguments = {"4000"};
  Outcome outcome = launch(greedy);
  EXPECT_EQ(outcome.status.ending, Ending::over_limit);
  EXPECT_EQ(outcome.out, "");
}

TEST_P(LaunchEnds, TheMemoryLimitCountsSharedPagesOnce) {
  // 60 MiB seen by six processes: 60, not 360.
  Request request{.program = {.original = test_program("eater")},
                  .input = {.arguments = {"60", "5"}},
                  .directory = work_};
  request.namespaces = GetParam();
  request.limits.memory_bytes = 200ULL << 20;
  EXPECT_EQ(launch(request).out, "done\n");
}

TEST_P(LaunchEnds, AFloodOfOutputIsCutAndDoesNotBlock) {
  Request request = shell("head -c 30000000 /dev/zero; head -c 20000000 /dev/zero >&2; exit 4");
  request.limits.output_bytes = 1000;
  Outcome outcome = launch(request);
  EXPECT_EQ(outcome.status.code, 4);
  EXPECT_EQ(outcome.out.size(), 1000U);
  EXPECT_EQ(outcome.err.size(), 1000U);
  EXPECT_EQ(outcome.out_discarded, 30000000U - 1000);
  EXPECT_EQ(outcome.err_discarded, 20000000U - 1000);
}

TEST_P(LaunchEnds, ATargetThatSignalsItsParentDoesNotCancelItself) {
  Outcome outcome = launch(shell("kill -TERM $PPID; kill -INT $PPID; sleep 0.1; exit 6"));
  EXPECT_EQ(outcome.status, (Status{Ending::exited, 6}));
}

TEST_P(LaunchEnds, AFileCannotGrowBeyondItsLimit) {
  Request request = shell("exec head -c 5000000 /dev/zero > file");
  request.limits.file_bytes = 1 << 20;
  EXPECT_EQ(launch(request).status, (Status{Ending::signalled, SIGXFSZ}));
}

TEST_P(LaunchEnds, PeakMemoryIsTheTargetsNotOurs) {
  std::vector<char> large(300 << 20, 1); // what a fork of this process would be charged with
  Request request{.program = {.original = test_program("eater")},
                  .input = {.arguments = {"40"}},
                  .directory = work_};
  request.namespaces = GetParam();
  Outcome outcome = launch(request);
  EXPECT_GE(outcome.peak_bytes, 40ULL << 20);
  EXPECT_LT(outcome.peak_bytes, 80ULL << 20);
  EXPECT_EQ(large[123], 1);
}

} // namespace
} // namespace culprit::launch
