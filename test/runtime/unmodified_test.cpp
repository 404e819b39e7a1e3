// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap graph of programs as they came, by LD_PRELOAD: exact at every metric point, whoever
// tells what was written; and a fault put in is found.
#include "engine/run/run_file.h"
#include "test/runtime/launch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace culprit::test {
namespace {

// perl is on every Debian system. Builds, links, drops and builds again; a child of fork goes on by
// itself.
constexpr const char *kChurn =
    "my %h; for my $round (1..3) { $h{$_} = [$_, {a => $_}] for 1..4000; delete $h{$_ * 2} for "
    "1..1500; } print scalar(keys %h), qq(\\n); my $child = fork; $h{x} = [%h] for 1..3; "
    "waitpid($child, 0) if $child;";

struct Seen {
  uint64_t points = 0;
  uint64_t verified = 0;
  uint64_t mismatches = 0;
  unsigned flags = 0;
};

Seen verified(const std::string &options, const std::vector<std::string> &program) {
  Folder folder;
  const Ended ended =
      run({program,
           {"LD_PRELOAD=" UNMODIFIED_LIBRARY,
            fmt::format("CULPRIT_RUNTIME=run={}:{}", (folder.path / "run").string(), options)}});
  EXPECT_EQ(ended.status, 0) << ended.errors;
  Seen seen;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path)) {
    auto file = run::read(entry.path());
    EXPECT_TRUE(file) << (file ? "" : file.error().what);
    if (!file)
      continue;
    for (const run::Record &record : file->records) {
      if (const auto *point = std::get_if<run::MetricPoint>(&record.what)) {
        ++seen.points;
        seen.flags |= point->numbers.flags;
      }
      if (const auto *verify = std::get_if<run::Verify>(&record.what)) {
        ++seen.verified;
        seen.mismatches += verify->numbers.mismatches;
      }
    }
  }
  return seen;
}

TEST(Unmodified, TheGraphIsExactByTheBestTheKernelHas) {
  const Seen seen = verified("verify=1", {"perl", "-e", kChurn});
  EXPECT_GT(seen.points, 30U);
  EXPECT_EQ(seen.verified, seen.points);
  EXPECT_EQ(seen.mismatches, 0U);
}

TEST(Unmodified, TheGraphIsExactBySoftDirtyBitsOrWithoutThem) {
  const Seen seen = verified("verify=1:written_pages=1", {"perl", "-e", kChurn});
  EXPECT_GT(seen.points, 10U);
  EXPECT_EQ(seen.mismatches, 0U);
  EXPECT_EQ(seen.flags & CULPRIT_POINT_SCANNED, 0U);
}

TEST(Unmodified, TheGraphIsExactWhenEveryBlockIsRead) {
  const Seen seen = verified("verify=1:written_pages=2", {"perl", "-e", kChurn});
  EXPECT_GT(seen.points, 10U);
  EXPECT_EQ(seen.mismatches, 0U);
  EXPECT_EQ(seen.flags & (CULPRIT_POINT_SCANNED | CULPRIT_POINT_SOFT_DIRTY), 0U);
  EXPECT_NE(seen.flags & CULPRIT_POINT_READ_ALL, 0U);
}

// The negative control: some of the written pages are forgotten.
TEST(Unmodified, AFaultPutInIsFound) {
  const Seen seen = verified("verify=2", {"perl", "-e", kChurn});
  if ((seen.flags & (CULPRIT_POINT_SCANNED | CULPRIT_POINT_SOFT_DIRTY)) == 0)
    GTEST_SKIP() << "the kernel tells of no written pages: there is nothing to forget";
  EXPECT_GT(seen.mismatches, 0U);
}

// Whoever closes our descriptor ends the protection: found out at the next point.
TEST(Unmodified, ClosedDescriptorsLoseNothing) {
  const std::string closing = "use POSIX; my %h; $h{$_} = [$_] for 1..3000; POSIX::close($_) for "
                              "3..2000; $h{$_ % 700} = [$h{$_}] for 1..9000; print 1;";
  const Seen seen = verified("verify=1", {"perl", "-e", closing});
  EXPECT_GT(seen.points, 10U);
  EXPECT_EQ(seen.mismatches, 0U);
}

// Guard pages that a program makes out of its own blocks: a point must not read them.
TEST(Unmodified, PartsOfTheHeapThatCannotBeReadAreLeftAlone) {
  const std::string hiding =
      "import ctypes\nc = ctypes.CDLL(None)\np = ctypes.c_void_p()\nd = []\n"
      "assert c.posix_memalign(ctypes.byref(p), 4096, 65536) == 0\n"
      "for rights in (0, 3, 0, 3):\n  assert c.mprotect(p, 8192, rights) == 0\n"
      "  d = [[i, str(i)] for i in range(9000)]\nc.free(p)\nprint(len(d))";
  const Seen seen =
      verified("verify=1", {"env", "PYTHONMALLOC=malloc", "/usr/bin/python3", "-c", hiding});
  EXPECT_GT(seen.points, 30U);
  EXPECT_EQ(seen.mismatches, 0U);
}

} // namespace
} // namespace culprit::test
