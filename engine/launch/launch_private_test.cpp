// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each launch starts from the same files and its changes are thrown away, by overlay, by copy in a
// mount namespace and by copy without one.
#include "engine/launch/changes.h"
#include "engine/launch/launch_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <ostream>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

struct Way {
  const char *name;
  Privacy privacy;
  Namespaces namespaces;
};

// Without it gtest names a test by the bytes of its parameter, addresses included.
void PrintTo(const Way &way, std::ostream *out) { *out << way.name; }

class LaunchPrivate : public LaunchTest, public testing::WithParamInterface<Way> {
protected:
  Request shell(std::string script) const {
    Request request = LaunchTest::shell(std::move(script));
    request.privacy = GetParam().privacy;
    request.namespaces = GetParam().namespaces;
    return request;
  }
};

INSTANTIATE_TEST_SUITE_P(
    , LaunchPrivate,
    testing::Values(Way{"ByOverlay", Privacy::automatic, Namespaces::automatic},
                    Way{"ByOverlayInUserNamespace", Privacy::automatic, Namespaces::user},
                    Way{"ByCopy", Privacy::copy, Namespaces::automatic},
                    Way{"WithoutNamespaces", Privacy::automatic, Namespaces::none}),
    [](const auto &parameter) { return parameter.param.name; });

TEST_P(LaunchPrivate, ChangesAreSeenByTheTargetAndThrownAway) {
  write_file(work_ / "kept", "old");
  write_file(work_ / "doomed", "old");
  fs::create_directories(work_ / "tree/branch");
  write_file(work_ / "tree/branch/leaf", "leaf");
  fs::create_symlink("kept", work_ / "link");
  Request request = shell(
      "cat kept link tree/branch/leaf; echo new > kept; rm doomed; mkdir made; echo > made/file;"
      "rm -r tree; mkdir tree; ls tree; ls; cat link; exit 9");
  for (int i = 0; i < 2; ++i) { // the second sees nothing of the first
    Outcome outcome = launch(request);
    EXPECT_EQ(outcome.out, "oldoldleafkept\nlink\nmade\ntree\nnew\n") << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.status.code, 9);
  }
  EXPECT_EQ(file_contents(work_ / "kept"), "old");
  EXPECT_EQ(file_contents(work_ / "doomed"), "old");
  EXPECT_EQ(file_contents(work_ / "tree/branch/leaf"), "leaf");
  EXPECT_FALSE(fs::exists(work_ / "made"));
}

TEST_P(LaunchPrivate, WhetherFilesWereChangedIsTold) {
  write_file(work_ / "kept", "old");
  const auto changes = [&](const char *script) {
    bool changed = false;
    EXPECT_TRUE(run_and_look(shell(script), changed)) << script;
    return changed;
  };
  EXPECT_FALSE(changes("cat kept > /dev/null; ls"));
  for (const char *script : {"echo new > kept", "rm kept", "mkdir made", "chmod 600 kept"})
    EXPECT_TRUE(changes(script)) << script;
}

TEST_P(LaunchPrivate, ModesAndTimesLookAsTheyAre) {
  write_file(work_ / "old", "x");
  timespec times[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (work_ / "old").c_str(), times, 0), 0);
  fs::permissions(work_ / "old", fs::perms(0640));
  fs::permissions(work_, fs::perms(0750));
  ASSERT_EQ(::utimensat(AT_FDCWD, work_.c_str(), times, 0), 0);
  EXPECT_EQ(launch(shell("stat -c '%a %Y' . old")).out, "750 1000\n640 1000\n");
}

TEST_P(LaunchPrivate, ADirectoryInsideAPrivateOneIsPrivateToo) {
  fs::create_directories(work_ / "inner");
  write_file(work_ / "inner/file", "old");
  Request request = shell("echo new > file; cat file; cat ../inner/file");
  request.directory = work_ / "inner";
  request.private_directories = {work_, work_ / "inner"};
  EXPECT_EQ(launch(request).out, "new\nnew\n");
  EXPECT_EQ(file_contents(work_ / "inner/file"), "old");
}

TEST_P(LaunchPrivate, ASecondDirectoryIsPrivateOrTheLaunchIsRefused) {
  fs::path second = temporary_.path() / "second";
  fs::create_directory(second);
  write_file(second / "file", "old");
  Request request = shell("echo new > '" + (second / "file").string() + "'");
  request.private_directories = {second};
  Result<Outcome> outcome = run(request);
  EXPECT_EQ(file_contents(second / "file"), "old");
  EXPECT_EQ(outcome.has_value(), granted(GetParam().namespaces).mounts);
}

TEST_P(LaunchPrivate, WhatTheRuntimeWritesIsKept) {
  // Inside a private directory, which is where it is when the user works in /tmp.
  fs::path runs = work_ / "runs";
  fs::create_directory(runs);
  Request request = shell("echo record > '" + (runs / "1.run").string() + "'; echo > other");
  request.runtime_options = {{"run", (runs / "1.run").string()}};
  if (work_.string().find(':') !=
      std::string::npos) { // the fixture's odd name cannot be an option's value
    EXPECT_FALSE(run(request));
    fs::path plain = temporary_.path() / "plain";
    fs::rename(work_, plain);
    work_ = plain;
    runs = work_ / "runs";
    request = shell("echo record > '" + (runs / "1.run").string() + "'; echo > other");
    request.runtime_options = {{"run", (runs / "1.run").string()}};
  }
  Outcome outcome = launch(request);
  EXPECT_EQ(outcome.run_file, runs / "1.run");
  EXPECT_EQ(file_contents(runs / "1.run"), "record\n");
  EXPECT_FALSE(fs::exists(work_ / "other"));
}

TEST_P(LaunchPrivate, ARunFileInTheWorkingDirectoryIsKeptThoughTheDirectoryIsPrivate) {
  fs::path plain = temporary_.path() / "plain";
  fs::create_directory(plain);
  // As the runtime does: the file's name comes from the variable, a child's has a suffix.
  Request request =
      shell("run=${CULPRIT_RUNTIME#run=}; run=${run%%:*}; echo record > $run; echo child > $run.7;"
            "echo > other");
  request.directory = plain;
  request.runtime_options = {{"run", (plain / "1.run").string()}};
  Outcome outcome = launch(request);
  EXPECT_EQ(outcome.run_file, plain / "1.run");
  EXPECT_EQ(file_contents(plain / "1.run"), "record\n");
  EXPECT_EQ(file_contents(plain / "1.run.7"), "child\n");
  EXPECT_FALSE(fs::exists(plain / "other"));
}

TEST_P(LaunchPrivate, ASocketThatWouldBeHiddenIsRefused) {
  if (!granted(GetParam().namespaces).mounts)
    GTEST_SKIP() << "nothing is mounted, so nothing is hidden";
  fs::path plain = temporary_.path() / "plain";
  fs::create_directory(plain);
  Request request = shell("true");
  request.directory = plain;
  request.runtime_options = {{"objects", (plain / "socket").string()}};
  Result<Outcome> outcome = run(request);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().hint.find("directory of its own"), std::string::npos);
}

class LaunchInPlace : public LaunchTest {};

TEST_F(LaunchInPlace, WithoutPrivacyChangesStay) {
  Request request = shell("echo new > file");
  request.privacy = Privacy::none;
  EXPECT_TRUE(launch(request).status.success());
  EXPECT_EQ(file_contents(work_ / "file"), "new\n");
}

TEST_F(LaunchInPlace, ACopyAboveTheSizeLimitIsRefusedPolitely) {
  write_file(work_ / "large", std::string(3 << 20, 'x'));
  Request request = shell("true");
  request.privacy = Privacy::copy;
  request.limits.private_bytes = 2 << 20;
  Result<Outcome> outcome = run(request);
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("larger than 2 MiB"), std::string::npos);
  EXPECT_FALSE(outcome.error().hint.empty());
}

TEST_F(LaunchInPlace, SharedPlacesAreNeverCopied) {
  for (const char *directory : {"/", "/tmp", "/var/tmp"}) {
    Request request = shell("true");
    request.directory = directory;
    request.privacy = Privacy::copy;
    Result<Outcome> outcome = run(request);
    EXPECT_FALSE(outcome) << directory;
  }
}

TEST_F(LaunchInPlace, TheTemporaryDirectoryItselfCanBePrivate) {
  // Where our own scratch space is: the changes must go elsewhere.
  fs::path probe = temporary_root() / ("culprit_probe_" + std::to_string(::getpid()));
  Request request = shell("echo x > '" + probe.string() + "'; cat '" + probe.string() + "'");
  request.directory = temporary_root();
  Result<Outcome> outcome = run(request);
  if (!outcome) // a mount below it that may not be hidden (containers)
    GTEST_SKIP() << outcome.error().what;
  EXPECT_EQ(outcome->out, "x\n") << outcome->err;
  EXPECT_FALSE(fs::exists(probe));
}

TEST_F(LaunchInPlace, TheRootDirectoryCanBeTheWorkingDirectory) {
  fs::path probe = temporary_.path() / "probe";
  Request request = shell("pwd; echo x > '" + probe.string() + "'; cat '" + probe.string() +
                          "'; ls /proc/self/exe");
  request.directory = "/";
  Result<Outcome> outcome = run(request);
  if (!outcome)
    GTEST_SKIP() << outcome.error().what;
  EXPECT_EQ(outcome->out, "/\nx\n/proc/self/exe\n") << outcome->err;
  EXPECT_FALSE(fs::exists(probe));
}

TEST_F(LaunchInPlace, ConcurrentLaunchesDoNotSeeEachOther) {
  std::vector<Request> requests(8, shell("test ! -e mark && echo > mark && sleep 0.2 && ls"));
  for (const auto &outcome : run_all(requests, 8)) {
    ASSERT_TRUE(outcome && *outcome);
    EXPECT_EQ((*outcome)->out, "mark\n");
  }
}

} // namespace
} // namespace culprit::launch
