// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/settled.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

TEST(Settled, IsTheLastRunThatBroughtASite) {
  History history;
  Name name;
  name.symbol = "limit";
  const uint64_t key = key_of(name);
  history.names[key] = name;
  history.sites[1].id = 1;
  history.sites[2].id = 2;
  history.sites[3].read = true;
  auto add = [&](const std::string &arguments, std::vector<uint64_t> sites) {
    RunPairs run;
    run.arguments = arguments;
    for (const uint64_t site : sites)
      run.pairs.push_back({site, key, 1, 0, 0, false});
    history.runs[arguments] = run;
  };
  add("a", {1});
  add("b", {});
  add("c", {1, 2});
  add("d", {1, 2, 3});
  const Settled writers = settled(history, key, false, kMaxChain);
  EXPECT_EQ(writers.runs, 3U); // b never met it
  EXPECT_EQ(writers.since, 2U);
  const Settled readers = settled(history, key, true, kMaxChain);
  EXPECT_EQ(readers.runs, 1U);
  EXPECT_EQ(readers.since, 1U);
  EXPECT_EQ(settled(history, key + 1, false, kMaxChain).runs, 0U);
}

} // namespace
} // namespace culprit::access
