// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/live/events.h"

#include "report/live/simulated_for_tests.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace culprit::report::live {
namespace {

using Json = nlohmann::json;

struct Event {
  std::string name;
  Json data;
};

// As a browser reads the stream.
std::vector<Event> parsed(std::string_view stream) {
  std::vector<Event> events;
  while (!stream.empty()) {
    const size_t end = stream.find("\n\n");
    EXPECT_NE(end, std::string_view::npos) << "an event that does not end: " << stream;
    if (end == std::string_view::npos)
      break;
    std::string_view block = stream.substr(0, end);
    const size_t line = block.find('\n');
    EXPECT_TRUE(block.starts_with("event: "));
    EXPECT_TRUE(block.substr(line + 1).starts_with("data: "));
    EXPECT_EQ(block.find('\n', line + 1), std::string_view::npos) << "data of several lines";
    events.push_back({std::string(block.substr(7, line - 7)), Json::parse(block.substr(line + 7))});
    stream.remove_prefix(end + 2);
  }
  return events;
}

TEST(LiveEvents, WhoIsNewIsToldEverything) {
  const State state = state_of_list();
  Told told;
  const auto told_events = parsed(events(state, told));
  ASSERT_EQ(told_events.size(), 1);
  const auto &[name, data] = told_events[0];
  EXPECT_EQ(name, "all");
  EXPECT_EQ(data["phase"], "running");
  ASSERT_EQ(data["metrics"].size(), heap::metrics().size());
  const Json &roots = data["metrics"][0];
  EXPECT_EQ(roots["name"], "roots");
  EXPECT_EQ(roots["x"].size(), 40);
  EXPECT_EQ(roots["x"][39], 40'000);
  EXPECT_EQ(roots["y"][39], 40);
  EXPECT_EQ(roots["now"], "40.0 %");
  EXPECT_EQ(roots["standing"], "outside its range");
  EXPECT_EQ(roots["range"], Json({10, 30}));
  EXPECT_EQ(roots["bar"], Json({8, 33}));
  EXPECT_LE(roots["axis"]["low"], 8);
  EXPECT_GE(roots["axis"]["high"], 40);
  EXPECT_EQ(data["axis"]["high"], 40'000);
  EXPECT_FALSE(data["metrics"][1].contains("range"));
  EXPECT_EQ(data["metrics"][7]["x"].size(), 0); // never counted
}

TEST(LiveEvents, ThenOnlyWhatIsNew) {
  State state = state_of_list();
  Told told;
  (void)events(state, told);
  EXPECT_EQ(events(state, told), "");
  state.add(point_with_roots(41, 50));
  const auto more = parsed(events(state, told));
  ASSERT_EQ(more.size(), 1);
  EXPECT_EQ(more[0].name, "more");
  EXPECT_EQ(more[0].data["metrics"][0]["x"], Json({41'000}));
  EXPECT_EQ(more[0].data["metrics"][0]["y"], Json({50}));
  EXPECT_FALSE(more[0].data.contains("stacks"));
  state.findings.emplace_back("heap anomaly");
  ++state.findings_version;
  EXPECT_EQ(parsed(events(state, told))[0].data["findings"], Json({"heap anomaly"}));
}

TEST(LiveEvents, TogetherTheyHaveEveryPointInOrder) {
  State state = state_of_list();
  Told told;
  std::vector<double> xs;
  for (uint32_t i = 41; i < 3000; ++i) {
    state.add(point_with_roots(i, i % 100));
    if (i % 7 != 0)
      continue;
    for (const Event &event : parsed(events(state, told))) {
      if (event.name == "all")
        xs.clear();
      for (const Json &x : event.data["metrics"][0]["x"])
        xs.push_back(x);
    }
  }
  const auto points = state.course.points(0);
  // What was not told yet is the end.
  ASSERT_LE(xs.size(), points.size());
  ASSERT_GE(xs.size() + 14, points.size());
  for (size_t i = 0; i < xs.size(); ++i)
    ASSERT_EQ(xs[i], points[i].x);
}

TEST(LiveEvents, WhenTheCourseIsThinnedAllOfItComesAnew) {
  State state = state_of_list();
  Told told;
  (void)events(state, told);
  for (uint32_t i = 41; i <= Course::kParts + 1; ++i)
    state.add(point_with_roots(i, 20));
  const auto anew = parsed(events(state, told));
  ASSERT_EQ(anew.size(), 1);
  EXPECT_EQ(anew[0].name, "all");
  EXPECT_NE(anew[0].data["thinned"], "");
}

TEST(LiveEvents, TheEndIsToldOnceAndLast) {
  State state = state_of_list();
  state.phase = Phase::judged;
  state.status = "exit code 3";
  state.verdict = "1 finding";
  Told told;
  const auto last = parsed(events(state, told));
  ASSERT_EQ(last.size(), 2);
  EXPECT_EQ(last[0].data["status"], "ended: exit code 3; 1 finding");
  EXPECT_EQ(last[1].name, "end");
  EXPECT_EQ(events(state, told), "");
  EXPECT_TRUE(told.end);
}

TEST(LiveEvents, HostileNamesStayNames) {
  State state = state_of_list();
  state.findings = {"a\n\nevent: end\ndata: {}\n\n\x1b[31m\xff</script>\xe2\x80\xae"};
  monitor::LiveStack stack;
  stack.when = CULPRIT_STACK_CROSSED;
  stack.frames = {{"/src/a\nb.c", 7, 0, "f\r\n\x80<b>"}};
  stack.count = 2;
  state.stacks = {stack};
  Told told;
  const auto all = parsed(events(state, told));
  ASSERT_EQ(all.size(), 1);
  const std::string finding = all[0].data["findings"][0];
  EXPECT_EQ(finding.find_first_of("\n\x1b"), std::string::npos);
  EXPECT_NE(finding.find("⟨U+202E⟩"), std::string::npos);
  EXPECT_NE(finding.find("</script>"), std::string::npos); // shown as text
  EXPECT_EQ(all[0].data["stacks"][0]["frames"][0], Json({"f␍␊\uFFFD<b>", "a␊b.c:7"}));
}

} // namespace
} // namespace culprit::report::live
