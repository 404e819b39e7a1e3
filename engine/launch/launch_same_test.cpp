// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two launches of one request are alike, and a flavour believes to be its original.
#include "engine/launch/launch_fixture.h"
#include "engine/launch/repeat.h"
#include "engine/launch/spawn.h"

#include "abi/environment.h"

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

class LaunchSame : public LaunchTest {
protected:
  Request layout() const {
    return {.program = {.original = test_program("layout")}, .directory = work_};
  }

  // What layout.c prints, as far as it can be fixed here.
  static std::string fixed(const Outcome &outcome) {
    static const Granted here = granted(Namespaces::automatic);
    if (!here.addresses)
      return {};
    return here.process_numbers ? outcome.out : outcome.out.substr(0, outcome.out.find("process"));
  }

  Request itself(Namespaces namespaces) const {
    Request request{.program = {.original = test_program("itself_original"),
                                .executable = test_program("itself_flavour"),
                                .substitutions = {{test_program("libword_original.so"),
                                                   test_program("libword_flavour.so")}}},
                    .directory = work_};
    request.namespaces = namespaces;
    return request;
  }
};

TEST_F(LaunchSame, AddressesAndProcessNumbersAreEqual) {
  // The control: without us they differ, or this test shows nothing.
  ToolRun plain{.argv = {test_program("layout").string()}};
  if (run_tool(plain)->out == run_tool(plain)->out)
    GTEST_SKIP() << "addresses are not randomized on this system";
  Outcome first = launch(layout());
  EXPECT_EQ(fixed(first), fixed(launch(layout())));
  if (granted(Namespaces::automatic).process_numbers)
    EXPECT_TRUE(first.out.ends_with("process 3\nparent 2\n")) << first.out;
}

TEST_F(LaunchSame, AddressesVaryWhereAskedTo) {
  ToolRun plain{.argv = {test_program("layout").string()}};
  if (run_tool(plain)->out == run_tool(plain)->out)
    GTEST_SKIP() << "addresses are not randomized on this system";
  Request request = layout();
  request.fix_addresses = false;
  EXPECT_NE(launch(request).out, launch(request).out);
}

TEST_F(LaunchSame, TheStackLimitIsFixed) {
  EXPECT_EQ(launch(shell("ulimit -s")).out, "8192\n");
  Request request = shell("ulimit -s");
  request.limits.stack_bytes = 1 << 20;
  EXPECT_EQ(launch(request).out, "1024\n");
}

TEST_F(LaunchSame, TheRuntimesOptionsDoNotMoveAnything) {
  Request other = layout();
  other.runtime_options = {{"stack_depth", "12345"},
                           {"run", "/tmp/some-directory/that-is-long/1.run"}};
  EXPECT_EQ(fixed(launch(layout())), fixed(launch(other)));
}

TEST_F(LaunchSame, AFlavourMovesNothingOnTheStack) {
  if (!granted(Namespaces::automatic).mounts)
    GTEST_SKIP() << "without a mount namespace the kernel puts the flavour's own path on the stack";
  Request flavour = layout();
  fs::path copy = work_ / "a-name-of-quite-another-length";
  fs::copy_file(test_program("layout"), copy);
  flavour.program.executable = copy;
  EXPECT_EQ(fixed(launch(layout())), fixed(launch(flavour)));
}

TEST_F(LaunchSame, TheEnvironmentIsTheUsersInSortedOrder) {
  Request request = shell("");
  request.program.original = "/usr/bin/env";
  request.input.arguments = {};
  request.environment.inherit = false;
  request.environment.set = {{"ZEBRA", "1"}, {"ANT", "2"}};
  request.runtime_options = {{"stack_depth", "7"}};
  std::string value = "stack_depth=7";
  value.resize(CULPRIT_RUNTIME_VALUE_LENGTH, ':');
  EXPECT_EQ(launch(request).out, "ANT=2\nCULPRIT_RUNTIME=" + value + "\nZEBRA=1\n");

  ::setenv("CULPRIT_TEST_VARIABLE", "inherited", 1);
  Request inheriting = shell("echo $CULPRIT_TEST_VARIABLE $PWD");
  inheriting.environment.set = {{"PWD", "set"}};
  EXPECT_EQ(launch(inheriting).out.substr(0, 9), "inherited");
  inheriting.environment.unset = {"CULPRIT_TEST_VARIABLE"};
  EXPECT_NE(launch(inheriting).out.substr(0, 9), "inherited");
  ::unsetenv("CULPRIT_TEST_VARIABLE");
}

TEST_F(LaunchSame, OptionsThatCannotBePassedAreErrors) {
  auto refused = [&](const char *name, std::string value) {
    Request request = shell("true");
    request.runtime_options = {{name, std::move(value)}};
    return !run(request).has_value();
  };
  EXPECT_TRUE(refused("no_such_option", "1"));
  EXPECT_TRUE(refused("stack_depth", "many"));
  EXPECT_TRUE(refused("run", "/a:b"));
  EXPECT_TRUE(refused("run", "/" + std::string(2000, 'x')));
}

TEST_F(LaunchSame, AFlavourSeesTheOriginalsPathAlsoWhenItExecutesItselfAgain) {
  if (!granted(Namespaces::automatic).mounts)
    GTEST_SKIP() << "needs a mount namespace";
  Request request = itself(Namespaces::automatic);
  request.program.name = request.program.original.string();
  request.input.arguments = {"by-name"};
  Outcome outcome = launch(request);
  std::string path = fs::canonical(request.program.original).string();
  std::string line = "flavour flavour-word " + path + " " + request.program.name + "\n";
  EXPECT_EQ(outcome.out, line + line + line) << outcome.err;
}

TEST_F(LaunchSame, WithoutNamespacesAFlavourStillRunsUnderTheOriginalsName) {
  Request request = itself(Namespaces::none);
  // The loader finds the replaced object by the name the original has.
  Outcome outcome = launch(request);
  EXPECT_EQ(outcome.out, "flavour flavour-word " +
                             fs::canonical(test_program("itself_flavour")).string() + " " +
                             test_program("itself_original").string() + "\n")
      << outcome.err;
  EXPECT_FALSE(outcome.notes.empty());
}

TEST_F(LaunchSame, NamesAFlavourThatIsNotThere) {
  Request request = itself(Namespaces::automatic);
  request.program.executable = "/no/such/flavour";
  Result<Outcome> outcome = run(request);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("/no/such/flavour"), std::string::npos);
}

TEST_F(LaunchSame, ARepeatableProgramIsFoundRepeatable) {
  write_file(work_ / "counter", "0");
  Request request = shell("n=$(cat counter); echo $((n + 1)) | tee counter; kill -ABRT $$");
  Result<Repetition> result = repeatable(request);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->equal) << result->difference;
  EXPECT_EQ(result->first.status, (Status{Ending::signalled, SIGABRT}));
}

TEST_F(LaunchSame, WhereEverythingIsGrantedThereIsNothingToNote) {
  Granted here = granted(Namespaces::automatic);
  if (here.mounts && here.process_numbers && here.addresses)
    EXPECT_EQ(launch(layout()).notes, std::vector<std::string>{});
}

TEST_F(LaunchSame, AProgramThatDoesNotRepeatIsReportedWithItsFirstDifference) {
  Result<Repetition> output = repeatable(shell("echo same; cat /proc/sys/kernel/random/uuid"));
  ASSERT_TRUE(output);
  EXPECT_FALSE(output->equal);
  EXPECT_EQ(output->difference.find("standard output differs at line 2: '"), 0U)
      << output->difference;
  Result<Repetition> error = repeatable(shell("cat /proc/sys/kernel/random/uuid >&2"));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->difference.find("standard error differs at line 1: '"), 0U) << error->difference;
  // Changes its ending by a file in a place that is not private.
  fs::path mark = temporary_.path() / "mark";
  Result<Repetition> ending = repeatable(
      shell("test -e '" + mark.string() + "' && exit 1; echo > '" + mark.string() + "'"));
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->difference, "the end differs: exit code 0 and exit code 1");
}

} // namespace
} // namespace culprit::launch
