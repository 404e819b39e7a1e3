// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run files as real processes leave them: ended, killed, forked, executed anew.
#include "engine/run/run_file.h"
#include "test/runtime/launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit::test {
namespace {

using run::RunFile;

std::string variable(const std::filesystem::path &path) {
  return "CULPRIT_RUNTIME=run=" + path.string() + "::::::";
}

RunFile read_whole(const std::filesystem::path &path) {
  Result<RunFile> file = run::read(path);
  EXPECT_TRUE(file) << file.error().what;
  if (!file)
    return {};
  EXPECT_FALSE(file->tear) << path;
  EXPECT_EQ(file->header.lost, 0u);
  return *file;
}

template <typename T> std::vector<T> all(const RunFile &file) {
  std::vector<T> found;
  for (const run::Record &record : file.records)
    if (const T *what = std::get_if<T>(&record.what))
      found.push_back(*what);
  return found;
}

std::vector<std::filesystem::path> files_in(const Folder &folder) {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

struct RunFileOfProgramLinked : testing::TestWithParam<const char *> {
  static std::string program(const std::string &name) { return test::program(name + GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(BothWays, RunFileOfProgramLinked, testing::Values("", ".static"),
                         [](const auto &info) {
                           return *info.param ? "Statically" : "Dynamically";
                         });

TEST_P(RunFileOfProgramLinked, EveryOrdinaryEndIsRecordedWithItsStatus) {
  struct Way {
    const char *name;
    int status;
    bool without_handlers;
  };
  for (Way way : {Way{"return", 10, false}, Way{"exit", 11, false}, Way{"_exit", 12, true},
                  Way{"_Exit", 13, true}, Way{"vfork", 14, false}}) {
    Folder folder;
    Ended ended = run({{program("end"), way.name}, {variable(folder.path / "a.run")}});
    EXPECT_EQ(ended.status, way.status);
    ASSERT_EQ(files_in(folder).size(), 1u) << way.name;
    RunFile file = read_whole(folder.path / "a.run");
    ASSERT_EQ(all<run::ProcessExit>(file).size(), 1u) << way.name;
    EXPECT_EQ(all<run::ProcessExit>(file)[0].status, way.status);
    EXPECT_EQ(all<run::ProcessExit>(file)[0].without_handlers, way.without_handlers);
    EXPECT_EQ(all<run::HeapSummary>(file).size(), 1u);
    EXPECT_TRUE(std::holds_alternative<run::ProcessExit>(file.records.back().what));
  }
}

TEST_P(RunFileOfProgramLinked, AnAbortLeavesNoEndButAWholeFile) {
  Folder folder;
  EXPECT_EQ(run({{program("end"), "abort"}, {variable(folder.path / "a.run")}}).status,
            128 + SIGABRT);
  RunFile file = read_whole(folder.path / "a.run");
  EXPECT_EQ(all<run::ProcessStart>(file).size(), 1u);
  EXPECT_EQ(all<run::ProcessExit>(file).size(), 0u);
}

TEST_P(RunFileOfProgramLinked, TheStartNamesTheExecutableAndItsFirstArgument) {
  Folder folder;
  pid_t child = start({{program("end")}, {variable(folder.path / "a.run")}});
  waitpid(child, nullptr, 0);
  RunFile file = read_whole(folder.path / "a.run");
  auto starts = all<run::ProcessStart>(file);
  ASSERT_EQ(starts.size(), 1u);
  EXPECT_EQ(starts[0].pid, static_cast<uint32_t>(child));
  EXPECT_EQ(file.header.pid, static_cast<uint32_t>(child));
  EXPECT_EQ(starts[0].parent, static_cast<uint32_t>(getpid()));
  EXPECT_EQ(starts[0].executable, std::filesystem::canonical(program("end")).string());
  EXPECT_EQ(starts[0].argument, program("end"));
  EXPECT_FALSE(starts[0].forked);
}

TEST(RunFile, ModulesCoverTheExecutableAndItsLibraries) {
  Folder folder;
  run({{test::program("end")}, {variable(folder.path / "a.run")}});
  RunFile file = read_whole(folder.path / "a.run");
  auto modules = all<run::Module>(file);
  ASSERT_GE(modules.size(), 3u);
  EXPECT_EQ(modules[0].path, "");
  EXPECT_FALSE(modules[0].low == 0 || modules[0].high <= modules[0].low);
  EXPECT_TRUE(std::any_of(modules.begin(), modules.end(), [](const run::Module &module) {
    return module.path.find("/libc.so.6") != std::string::npos && module.build_id.size() == 20;
  }));
}

TEST(RunFile, WithoutTheOptionNothingIsWritten) {
  Folder folder;
  std::string command = "cd " + folder.path.string() + " && " + test::program("end");
  EXPECT_EQ(run({{"sh", "-c", command}, {}}).status, 10);
  EXPECT_EQ(run({{"sh", "-c", command}, {"CULPRIT_RUNTIME=::::"}}).status, 10);
  EXPECT_TRUE(files_in(folder).empty());
}

TEST(RunFile, AFileThatCannotBeMadeDoesNotDisturbTheTarget) {
  EXPECT_EQ(run({{test::program("end")}, {variable("/nonexistent/folder/a.run")}}).status, 10);
  Folder folder;
  std::string command = "ulimit -f 1; exec " + test::program("end");
  EXPECT_EQ(run({{"sh", "-c", command}, {variable(folder.path / "a.run")}}).status, 10);
}

TEST_P(RunFileOfProgramLinked, AForkedChildHasItsOwnFile) {
  Folder folder;
  EXPECT_EQ(run({{program("end"), "fork"}, {variable(folder.path / "a.run")}}).status, 16);
  ASSERT_EQ(files_in(folder).size(), 2u);
  RunFile parent = read_whole(folder.path / "a.run");
  RunFile child = read_whole(files_in(folder)[1]);
  EXPECT_EQ(files_in(folder)[1], folder.path / ("a.run." + std::to_string(child.header.pid)));
  auto start = all<run::ProcessStart>(child);
  ASSERT_EQ(start.size(), 1u);
  EXPECT_TRUE(start[0].forked);
  EXPECT_EQ(start[0].parent, parent.header.pid);
  EXPECT_EQ(all<run::Module>(child).size(), all<run::Module>(parent).size());
  EXPECT_EQ(all<run::ProcessExit>(parent).at(0).status, 16);
  EXPECT_EQ(all<run::ProcessExit>(child).at(0).status, 15);
}

TEST_P(RunFileOfProgramLinked, EveryImageThatExecutesItselfHasItsOwnFile) {
  Folder folder;
  EXPECT_EQ(run({{program("exec_self"), "3"}, {variable(folder.path / "a.run")}}).status, 5);
  ASSERT_EQ(files_in(folder).size(), 4u); // a.run, a.run.PID, a.run.PID.2, a.run.PID.3
  std::set<uint64_t> starts;
  int ends = 0;
  for (const auto &path : files_in(folder)) {
    RunFile file = read_whole(path);
    starts.insert(file.header.start_monotonic_ns);
    ends += static_cast<int>(all<run::ProcessExit>(file).size());
  }
  EXPECT_EQ(starts.size(), 4u);
  EXPECT_EQ(ends, 1);
}

TEST(RunFile, AForkStormLeavesOneWholeFilePerProcess) {
  Folder folder;
  Ended ended = run({{test::program("fork_storm"), "30"}, {variable(folder.path / "a.run")}});
  EXPECT_EQ(ended.output, "fine\n");
  EXPECT_EQ(files_in(folder).size(), 61u);
  for (const auto &path : files_in(folder))
    EXPECT_EQ(all<run::ProcessExit>(read_whole(path)).size(), 1u) << path;
}

TEST_P(RunFileOfProgramLinked, SigkillAtAnyMomentLeavesAFileWholeUpToItsLastRecord) {
  std::mt19937 random(std::random_device{}());
  for (int round = 0; round < 40; ++round) {
    Folder folder;
    pid_t child = start({{program("append_loop"), (folder.path / "counts").string()},
                         {variable(folder.path / "a.run")}});
    usleep(1000 + random() % 30'000);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    if (!std::filesystem::exists(folder.path / "counts"))
      continue; // killed before it began
    uint64_t counts[2] = {0, 0};
    std::ifstream(folder.path / "counts", std::ios::binary)
        .read(reinterpret_cast<char *>(counts), sizeof counts);
    Result<RunFile> file = run::read(folder.path / "a.run");
    ASSERT_TRUE(file) << file.error().what;
    uint64_t seen[2] = {0, 0};
    for (const run::Unknown &record : all<run::Unknown>(*file)) {
      ASSERT_EQ(record.kind, 999);
      uint64_t head[2];
      std::memcpy(head, record.payload.data(), sizeof head);
      ASSERT_LT(head[0], 2u);
      ASSERT_EQ(head[1], seen[head[0]]++);
      for (size_t i = 16; i < 16 + head[1] % 300; ++i)
        ASSERT_EQ(std::to_integer<uint64_t>(record.payload[i]), head[0]);
    }
    // A record whose append() has returned may only be missing behind a tear of the other thread,
    // which holds what both wrote since: with two threads that is at most a scheduling slice, seen
    // as a tear.
    if (!file->tear) {
      EXPECT_GE(seen[0], counts[0]);
      EXPECT_GE(seen[1], counts[1]);
    }
  }
}

} // namespace
} // namespace culprit::test
