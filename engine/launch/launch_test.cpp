// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/launch_fixture.h"

#include "engine/launch/shell_words.h"
#include "engine/launch/spawn.h"

#include <csignal>
#include <mutex>
#include <sys/stat.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class Launch : public LaunchTest {};

TEST_F(Launch, KeepsOutputErrorAndExitCode) {
  Outcome outcome = launch(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(outcome.status, (Status{Ending::exited, 3}));
  EXPECT_EQ(outcome.out, "out\n");
  EXPECT_EQ(outcome.err, "err\n");
  EXPECT_GT(outcome.wall.count(), 0);
}

TEST_F(Launch, ReportsTheSignalThatKilledTheTarget) {
  EXPECT_EQ(launch(shell("kill -SEGV $$")).status, (Status{Ending::signalled, SIGSEGV}));
}

TEST_F(Launch, GivesArgumentsNameAndStandardInput) {
  write_file(work_ / "input", "first\nsecond\n");
  Request request = shell("printf '[%s]' \"$0\" \"$@\"; cat");
  request.program.name = "typed-name";
  request.input.arguments.insert(request.input.arguments.end(), {"zero", "a b", ""});
  request.input.standard_input = work_ / "input";
  EXPECT_EQ(launch(request).out, "[zero][a b][]first\nsecond\n");
  Request without = shell("cat; tr '\\0' '|' < /proc/$$/cmdline");
  without.program.name = "typed-name";
  EXPECT_EQ(launch(without).out.substr(0, 11), "typed-name|");
}

TEST_F(Launch, NamesAProgramThatCannotRun) {
  auto complaint = [&](const fs::path &path) {
    Result<Outcome> outcome = run({.program = {.original = path}, .directory = work_});
    return outcome ? "it ran" : outcome.error().what;
  };
  EXPECT_EQ(complaint("/no/such/program"),
            "cannot run '/no/such/program': No such file or directory");
  EXPECT_EQ(complaint("no-such-program"), "cannot run 'no-such-program': not found in PATH");
  fs::path file = work_ / "file";
  write_file(file, "\x7f"
                   "ELF, but not really");
  EXPECT_EQ(complaint(file), "cannot run '" + file.string() + "': Permission denied");
  fs::permissions(file, fs::perms::owner_all);
  EXPECT_EQ(complaint(file), "cannot run '" + file.string() + "': Exec format error");
  write_file(file, "#!/no/such/interpreter\n");
  Result<Outcome> outcome = run({.program = {.original = file}, .directory = work_});
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().hint.find("interpreter"), std::string::npos);
}

TEST_F(Launch, NamesADirectoryOrInputThatIsNotThere) {
  Request nowhere = shell("true");
  nowhere.directory = "/no/such/place";
  Result<Outcome> outcome = run(nowhere);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("/no/such/place"), std::string::npos);
  Request inputless = shell("true");
  inputless.input.standard_input = "/no/such/input";
  outcome = run(inputless);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("/no/such/input"), std::string::npos);
}

TEST_F(Launch, OpensOnlyTheStandardDescriptorsAndResetsSignals) {
  Descriptor leaky(::dup(0));
  std::signal(SIGPIPE, SIG_IGN);
  Outcome outcome = launch(shell("ls /proc/self/fd; grep -E 'Sig(Blk|Ign)' /proc/self/status"));
  std::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(outcome.out, "0\n1\n2\n3\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST_F(Launch, KeepsTheUmask) {
  mode_t before = ::umask(027);
  EXPECT_EQ(launch(shell("umask")).out, "0027\n");
  ::umask(before);
}

TEST_F(Launch, LeavesNoFileBehind) {
  Request request = shell("mkdir -p deep/er; echo > deep/er/file; chmod 000 deep");
  fs::path root = temporary_.path() / "tmp";
  fs::create_directory(root);
  const char *before = std::getenv("TMPDIR");
  std::string kept = before ? before : "";
  ::setenv("TMPDIR", root.c_str(), 1);
  EXPECT_TRUE(launch(request).status.success());
  request.privacy = Privacy::copy;
  EXPECT_TRUE(launch(request).status.success());
  before ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_TRUE(fs::is_empty(root));
}

TEST_F(Launch, WithoutCaptureTheOutputIsOurs) {
  Request request = shell("exit 5");
  request.capture = false;
  EXPECT_EQ(launch(request).status.code, 5);
}

TEST_F(Launch, ManyKeepTheirOrderAndReportEachOnce) {
  std::vector<Request> requests;
  for (int i = 0; i < 12; ++i)
    requests.push_back(shell("exit " + std::to_string(i)));
  requests.push_back({.program = {.original = "/no/such/program"}});
  std::vector<int> reported(requests.size());
  auto outcomes =
      run_all(requests, 4, [&](size_t index, const Result<Outcome> &) { ++reported[index]; });
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ((*outcomes[i])->status.code, i);
  EXPECT_FALSE(outcomes[12]->has_value());
  EXPECT_EQ(reported, std::vector<int>(requests.size(), 1));
}

TEST_F(Launch, StoppingKeepsWhatIsFinished) {
  std::string sleep = unique_sleep();
  std::vector<Request> requests = {shell("echo finished"), shell("sleep " + sleep),
                                   shell("echo never")};
  std::stop_source source;
  std::jthread asker([&] {
    EXPECT_TRUE(wait_until_running(sleep));
    source.request_stop();
  });
  auto outcomes = run_all(requests, 1, {}, source.get_token());
  EXPECT_EQ((*outcomes[0])->out, "finished\n");
  EXPECT_EQ((*outcomes[1])->status.ending, Ending::cancelled);
  EXPECT_FALSE(outcomes[2]);
  EXPECT_FALSE(is_anything_left(sleep));
}

// Everything above and in the other Launch… suites once more, as a user who may do nothing in
// particular.
TEST(LaunchAsOrdinaryUser, EveryTestPasses) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "is an ordinary user already";
  if (!find_program("setpriv"))
    GTEST_SKIP() << "setpriv is not installed";
  TemporaryDirectory place = *TemporaryDirectory::create();
  fs::permissions(place.path(), fs::perms(0755));
  fs::copy(fs::canonical("/proc/self/exe"), place.path() / "test");
  fs::copy(test_program(""), place.path() / "programs", fs::copy_options::recursive);
  ToolRun run{.argv = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                       (place.path() / "test").string(),
                       "--gtest_filter=Launch*:Interrupt*:ObjectService*"},
              .directory = "/",
              .extra_environment = {{"CULPRIT_TEST_PROGRAMS", (place.path() / "programs").string()},
                                    {"HOME", "/nonexistent"},
                                    {"TMPDIR", "/tmp"}}};
  Result<ToolOutcome> outcome = run_tool(run);
  ASSERT_TRUE(outcome) << outcome.error().what;
  EXPECT_TRUE(outcome->status.success()) << outcome->out << outcome->err;
}

// The same on systems that grant less. Each is made with unshare(1): in a user namespace of our own
// we may be as strict with our children as an administrator.
class LaunchWhereRefused : public testing::Test {
protected:
  static void rerun(const std::vector<std::string> &prefix, const std::string &script) {
    Result<ToolOutcome> possible = run_tool({.argv = {"unshare", "-Urm", "true"}});
    if (!possible || !possible->status.success())
      GTEST_SKIP() << "no user namespace to be had here";
    ToolRun run{.argv = {"unshare", "-Urm", "sh", "-c", script + " && exec \"$@\"", "sh"}};
    run.argv.insert(run.argv.end(), prefix.begin(), prefix.end());
    run.argv.insert(run.argv.end(),
                    {fs::canonical("/proc/self/exe").string(),
                     "--gtest_filter=Launch.*:LaunchPrivate*:LaunchSame*:LaunchEnds*Daemons*"});
    Result<ToolOutcome> outcome = run_tool(run);
    ASSERT_TRUE(outcome) << outcome.error().what;
    EXPECT_TRUE(outcome->status.success()) << outcome->out << outcome->err;
  }
};

TEST_F(LaunchWhereRefused, MountNamespaces) {
  rerun({}, "echo 0 > /proc/sys/user/max_mnt_namespaces");
}

// As in most containers: part of /proc is covered, and the kernel lets nobody uncover it by
// mounting a new one.
TEST_F(LaunchWhereRefused, ANewProc) {
  rerun({"unshare", "-U", "--map-user=1000", "--map-group=1000"},
        "mount --bind /dev/null /proc/version");
}

} // namespace
} // namespace culprit::launch
