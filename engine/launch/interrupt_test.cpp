// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals end the whole process, so each test runs this binary once more: the disabled test below
// is the victim. It waits until its target and its tool are really running and then sends the
// signals to itself.
#include "engine/launch/interrupt.h"

#include "engine/launch/launch_fixture.h"
#include "engine/launch/shell_words.h"
#include "engine/launch/spawn.h"

#include <csignal>
#include <fmt/format.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

class InterruptVictim : public LaunchTest {};

TEST_F(InterruptVictim, DISABLED_SignalsItself) {
  std::string target = std::getenv("VICTIM_TARGET");
  std::string tool = std::getenv("VICTIM_TOOL");
  bool obedient = std::string_view(std::getenv("VICTIM_OBEYS")) == "yes";
  handle_interrupts();
  at_forced_exit([] { [[maybe_unused]] const ssize_t written = ::write(1, "last act\n", 9); });
  std::stop_token token = obedient ? interrupt_token() : std::stop_token();
  std::jthread launcher([&] {
    Request request = shell("setsid sleep " + target + " & wait");
    if (std::string_view(std::getenv("VICTIM_NAMESPACES")) == "no")
      request.namespaces = Namespaces::none;
    std::vector<Request> requests = {shell("echo done"), request};
    auto outcomes = run_all(requests, 1, {}, token);
    fmt::print("kept: {}{}\n", (*outcomes[0])->out, describe((*outcomes[1])->status));
  });
  std::jthread tools([&] {
    Result<ToolOutcome> outcome = run_tool({.argv = {"sleep", tool}}, token);
    fmt::print("tool: {}\n", describe(outcome->status));
  });
  ASSERT_TRUE(wait_until_running(target));
  ASSERT_TRUE(wait_until_running(tool));
  Result<ShellLine> signals = parse_shell_line(std::getenv("VICTIM_SIGNALS"));
  for (const std::string &signal : signals->words) {
    ::kill(::getpid(), std::stoi(signal));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  launcher.join();
  tools.join();
  fmt::print("signal: {}\n", interrupt_signal());
}

struct Aftermath {
  ToolOutcome outcome;
  bool target_left = true;
  bool tool_left = true;
  bool files_left = false;
};

class Interrupt : public testing::TestWithParam<const char *> {
protected:
  static Aftermath after(const std::string &signals, bool obedient) {
    TemporaryDirectory place = *TemporaryDirectory::create();
    std::string target = unique_sleep();
    std::string tool = unique_sleep();
    Result<ToolOutcome> outcome =
        run_tool({.argv = {fs::canonical("/proc/self/exe").string(),
                           "--gtest_also_run_disabled_tests", "--gtest_filter=InterruptVictim.*"},
                  .extra_environment = {{"VICTIM_TARGET", target},
                                        {"VICTIM_TOOL", tool},
                                        {"VICTIM_SIGNALS", signals},
                                        {"VICTIM_OBEYS", obedient ? "yes" : "no"},
                                        {"VICTIM_NAMESPACES", GetParam()},
                                        {"TMPDIR", place.path().string()}}});
    EXPECT_TRUE(outcome);
    Aftermath result{.outcome = std::move(*outcome)};
    // After SIGKILL it is the kernel's and init's turn, which takes a moment.
    result.target_left = !wait_for([&] { return !is_anything_left(target); });
    result.tool_left = !wait_for([&] { return !is_anything_left(tool); });
    for (const fs::directory_entry &entry : fs::directory_iterator(place.path()))
      result.files_left = result.files_left || entry.path().filename() != "lock";
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(, Interrupt, testing::Values("yes", "no"), [](const auto &parameter) {
  return std::string_view(parameter.param) == "yes" ? "WithNamespaces" : "WithoutNamespaces";
});

TEST_P(Interrupt, TheFirstSignalEndsEverythingAndKeepsWhatIsFinished) {
  for (int signal : {SIGINT, SIGTERM}) {
    Aftermath result = after(std::to_string(signal), true);
    EXPECT_TRUE(result.outcome.status.success())
        << describe(result.outcome.status) << result.outcome.out;
    EXPECT_NE(result.outcome.out.find("kept: done\ncancelled\n"), std::string::npos)
        << result.outcome.out;
    EXPECT_NE(result.outcome.out.find("tool: cancelled\n"), std::string::npos)
        << result.outcome.out;
    EXPECT_NE(result.outcome.out.find(fmt::format("signal: {}\n", signal)), std::string::npos);
    EXPECT_FALSE(result.target_left);
    EXPECT_FALSE(result.tool_left);
    EXPECT_FALSE(result.files_left);
  }
}

TEST_P(Interrupt, TheSecondSignalEndsUsAtOnceAndLeavesNothing) {
  Aftermath result = after("2 2", false);
  EXPECT_EQ(result.outcome.status, (Status{Ending::exited, 130}));
  EXPECT_NE(result.outcome.out.find("last act\n"), std::string::npos) << result.outcome.out;
  EXPECT_FALSE(result.target_left);
  EXPECT_FALSE(result.tool_left);
  EXPECT_FALSE(result.files_left);
}

TEST_P(Interrupt, KillingUsOutrightEndsWhatWeStarted) {
  Aftermath result = after("9", false);
  EXPECT_EQ(result.outcome.status, (Status{Ending::signalled, SIGKILL}));
  EXPECT_FALSE(result.target_left);
  EXPECT_FALSE(result.tool_left);
}

} // namespace
} // namespace culprit::launch
