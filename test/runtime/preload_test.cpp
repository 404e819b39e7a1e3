// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real programs on our heap by LD_PRELOAD: same output, same status as without.
#include "test/runtime/launch.h"

#include <gtest/gtest.h>

#include <fstream>

namespace culprit::test {
namespace {

void expect_same(const std::vector<std::string> &arguments) {
  if (run({{"sh", "-c", "command -v " + arguments[0]}, {}}).status != 0)
    GTEST_SKIP() << arguments[0] << " is not installed";
  std::vector<std::string> fixed = {"PYTHONHASHSEED=0", "PERL_HASH_SEED=0", "LC_ALL=C"};
  Ended plain = run({arguments, fixed});
  fixed.push_back("LD_PRELOAD=" PRELOAD_LIBRARY);
  Ended ours = run({arguments, fixed});
  EXPECT_EQ(ours.status, plain.status);
  EXPECT_EQ(ours.output, plain.output);
  EXPECT_EQ(ours.errors, plain.errors);
  EXPECT_EQ(ours.status, 0) << ours.errors;
}

TEST(Preload, Ls) { expect_same({"ls", "-laR", "/usr/include/linux"}); }
TEST(Preload, Sort) { expect_same({"sh", "-c", "seq 200000 | sort -r --parallel=4 | md5sum"}); }
TEST(Preload, Git) { expect_same({"git", "--version"}); }
TEST(Preload, Python) {
  expect_same({"python3", "-c",
               "import json, threading, subprocess\n"
               "def f():\n  for i in range(200): json.loads(json.dumps([{'a': [i] * 50}] * 20))\n"
               "ts = [threading.Thread(target=f) for _ in range(4)]\n"
               "[t.start() for t in ts]; [t.join() for t in ts]\n"
               "print(subprocess.run(['echo', 'child'], capture_output=True).stdout)"});
}
TEST(Preload, Perl) {
  expect_same({"perl", "-e",
               "my %h; $h{$_ % 977} .= \"$_,\" for 1..100000;"
               "print length(join '', map { $h{$_} } sort keys %h), \"\\n\"; print `echo child`"});
}
TEST(Preload, Awk) {
  expect_same({"awk",
               "BEGIN { for (i = 0; i < 200000; i++) a[i % 997] = a[i % 997] \"x\" substr(i, "
               "1, 2); for (k in a) n += length(a[k]); print n }"});
}
TEST(Preload, Sqlite) {
  expect_same(
      {"sqlite3", ":memory:",
       "create table t(a, b); with recursive n(i) as (select 1 union all select i+1 from n "
       "where i < 20000) insert into t select i, 'text ' || i from n; create index x on t(b);"
       "select count(*), max(b) from t;"});
}
TEST(Preload, ClangCompilesAFile) {
  Folder folder;
  std::ofstream(folder.path / "a.cpp") << "#include <map>\n#include <string>\nstd::map<int, "
                                          "std::string> f() { return {{1, \"a\"}}; }\n";
  expect_same({"clang++-19", "-O2", "-S", "-o", "-", (folder.path / "a.cpp").string()});
}
TEST(Preload, NoSystemCallFailsForWantOfAnArena) {
  expect_same({"sh", "-c", "ulimit -v 400000; exec perl -e 'print \"x\" x 100'"});
}

} // namespace
} // namespace culprit::test
