// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace culprit::launch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ToolRun shell(std::string script) { return {.argv = {"sh", "-c", std::move(script)}}; }

TEST(Spawn, KeepsOutputErrorAndExitCode) {
  Result<ToolOutcome> outcome = run_tool(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, (Status{Ending::exited, 3}));
  EXPECT_EQ(outcome->out, "out\n");
  EXPECT_EQ(outcome->err, "err\n");
}

TEST(Spawn, ReportsTheSignalThatKilledTheTool) {
  Result<ToolOutcome> outcome = run_tool(shell("kill -SEGV $$"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, (Status{Ending::signalled, SIGSEGV}));
  EXPECT_EQ(describe(outcome->status), "killed by SIGSEGV");
}

TEST(Spawn, NamesAProgramThatIsNotThere) {
  Result<ToolOutcome> by_name = run_tool({.argv = {"no-such-tool"}});
  ASSERT_FALSE(by_name);
  EXPECT_NE(by_name.error().what.find("no-such-tool"), std::string::npos);
  Result<ToolOutcome> by_path = run_tool({.argv = {"./no/such/tool"}});
  ASSERT_FALSE(by_path);
  EXPECT_EQ(by_path.error().what, "cannot run './no/such/tool': No such file or directory");
}

TEST(Spawn, NamesADirectoryThatIsNotThere) {
  Result<ToolOutcome> outcome = run_tool({.argv = {"true"}, .directory = "/no/such/place"});
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("/no/such/place"), std::string::npos);
}

TEST(Spawn, AddsToTheEnvironmentAndReplacesInIt) {
  ToolRun run = shell("echo $FIRST-$HOME");
  run.extra_environment = {{"FIRST", "1"}, {"HOME", "/elsewhere"}};
  Result<ToolOutcome> outcome = run_tool(run);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->out, "1-/elsewhere\n");
}

TEST(Spawn, RunsInTheGivenDirectory) {
  ToolRun run = shell("pwd");
  run.directory = "/usr";
  Result<ToolOutcome> outcome = run_tool(run);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->out, "/usr\n");
}

TEST(Spawn, LeaksNoDescriptorThatWasOpenedWithoutCloseOnExec) {
  int leaky = ::open("/dev/null", O_RDONLY);
  ASSERT_GT(leaky, 2);
  // The 3 is ls's own descriptor for the directory.
  Result<ToolOutcome> outcome = run_tool({.argv = {"ls", "/proc/self/fd"}});
  ::close(leaky);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->out, "0\n1\n2\n3\n");
}

TEST(Spawn, TakesMoreOutputThanAPipeHolds) {
  Result<ToolOutcome> outcome = run_tool(shell("head -c 3000000 /dev/zero; echo end >&2"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->out.size(), 3000000U);
  EXPECT_EQ(outcome->err, "end\n");
}

TEST(Spawn, DoesNotWaitForASurvivorThatHoldsTheOutputOpen) {
  auto begin = std::chrono::steady_clock::now();
  Result<ToolOutcome> outcome = run_tool(shell("sleep 60 & echo done"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->out, "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(30));
}

TEST(Spawn, EndsAToolThatTakesTooLongAndItsChildren) {
  ToolRun run = shell("sleep 300 & echo $!; wait");
  run.timeout = milliseconds(300);
  Result<ToolOutcome> outcome = run_tool(run);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status.ending, Ending::timed_out);
  // The sleeper is an orphan; it is gone as soon as init has collected it.
  pid_t sleeper = std::stoi(outcome->out);
  bool gone = false;
  for (int i = 0; i < 1000 && !gone; ++i) {
    gone = ::kill(sleeper, 0) != 0;
    if (!gone) {
      Result<ToolOutcome> state =
          run_tool({.argv = {"grep", "State", "/proc/" + std::to_string(sleeper) + "/status"}});
      gone = !state || state->out.find('Z') != std::string::npos;
      std::this_thread::sleep_for(milliseconds(10));
    }
  }
  EXPECT_TRUE(gone);
}

TEST(Spawn, EndsAToolThatIgnoresThePoliteSignal) {
  ToolRun run = shell("trap '' TERM; while :; do sleep 1; done");
  run.timeout = milliseconds(300);
  Result<ToolOutcome> outcome = run_tool(run);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status.ending, Ending::timed_out);
}

TEST(Spawn, StopsWhenAsked) {
  std::stop_source source;
  std::jthread asker([&] {
    std::this_thread::sleep_for(milliseconds(100));
    source.request_stop();
  });
  Result<ToolOutcome> outcome = run_tool(shell("sleep 300"), source.get_token());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status.ending, Ending::cancelled);
}

TEST(SpawnMany, KeepsTheOrderOfTheRuns) {
  std::vector<ToolRun> runs;
  for (int i = 0; i < 20; ++i)
    runs.push_back(shell("echo " + std::to_string(i)));
  Result<ToolsOutcome> all = run_tools(runs, 4);
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->success());
  for (size_t i = 0; i < runs.size(); ++i)
    EXPECT_EQ(all->outcomes[i]->out, std::to_string(i) + "\n");
}

TEST(SpawnMany, StopsAtTheFirstFailure) {
  std::vector<ToolRun> runs = {shell("sleep 300"), shell("exit 4"), shell("echo never")};
  Result<ToolsOutcome> all = run_tools(runs, 2);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->first_failed, 1U);
  EXPECT_EQ(all->outcomes[0]->status.ending, Ending::cancelled);
  EXPECT_EQ(all->outcomes[1]->status.code, 4);
  EXPECT_FALSE(all->outcomes[2]);
}

TEST(SpawnMany, NamesTheProgramThatIsNotThere) {
  std::vector<ToolRun> runs = {shell("true"), {.argv = {"no-such-tool"}}};
  Result<ToolsOutcome> all = run_tools(runs, 1);
  ASSERT_FALSE(all);
  EXPECT_NE(all.error().what.find("no-such-tool"), std::string::npos);
}

} // namespace
} // namespace culprit::launch
