// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/page.h"

#include "report/live/simulated_for_tests.h"

#include <gtest/gtest.h>

namespace culprit::report::live {
namespace {

TEST(LivePage, HasAPlaceForEveryMetric) {
  const std::string text = page(state_of_list());
  for (const heap::Metric &metric : heap::metrics())
    EXPECT_NE(text.find("data-name=\"" + std::string(metric.name) + "\""), std::string::npos);
}

TEST(LivePage, FetchesNothingAndHasNoScriptButItsOwn) {
  State state = state_of_list();
  state.command = "<script src=//x></script>\"'><img src=x onerror=alert(1)>";
  state.model = state.command;
  const std::string text = page(state);
  EXPECT_EQ(text.find("<script src"), std::string::npos);
  EXPECT_EQ(text.find("<img"), std::string::npos);
  size_t scripts = 0;
  for (size_t at = text.find("<script>"); at != std::string::npos;
       at = text.find("<script>", at + 1))
    ++scripts;
  EXPECT_EQ(scripts, 2);
  EXPECT_NE(page_policy().find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page_policy().find("unsafe"), std::string::npos);
}

TEST(LivePage, WithoutAModelThePapersMetricsArePicked) {
  EXPECT_NE(page(State()).find("none: nothing is judged"), std::string::npos);
  EXPECT_NE(page(State()).find("id=\"pick-roots\" value=\"roots\" checked"), std::string::npos);
  EXPECT_EQ(page(State()).find("value=\"components\" checked"), std::string::npos);
  // With one, those it knows.
  EXPECT_EQ(page(state_of_list()).find("value=\"leaves\" checked"), std::string::npos);
}

} // namespace
} // namespace culprit::report::live
