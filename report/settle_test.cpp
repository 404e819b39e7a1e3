// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/settle.h"

#include "report/check_text.h"
#include "report/reported_for_tests.h"
#include "report/triage_text.h"

#include <gtest/gtest.h>

namespace culprit::report {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Suppression> suppressions(std::string_view text) {
  auto parsed = parse_suppressions(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : std::vector<Suppression>();
}

Policy by_baseline(const Json &document, const std::string &command) {
  auto baseline = parse_baseline(document.dump(), command);
  EXPECT_TRUE(baseline);
  return {.baseline = baseline ? *baseline : Baseline(), .baseline_file = "known.json"};
}

TEST(Baseline, KnowsWhatTheEarlierReportHadWhateverLineItIsOn) {
  const Policy policy = by_baseline(check_report({{access_finding(10, "best")}}), "check");
  Json document = check_report({{access_finding(99, "best"), access_finding(7, "worst")}});
  EXPECT_EQ(settle(document, policy), 1U);
  EXPECT_TRUE(document["runs"][0]["findings"][0]["known"].get<bool>());
  EXPECT_FALSE(document["runs"][0]["findings"][1]["known"].get<bool>());
  EXPECT_EQ(document["settled"]["known"], 1);
  EXPECT_NE(check_text(document, {}).find("1 finding known to known.json\n"), std::string::npos);
}

TEST(Baseline, OfATriageServesLocateAndTheOtherWayRound) {
  Json located = locate_report("i1", 8);
  const std::string id = reported(located, {}).findings[0].fingerprint;
  EXPECT_EQ(settle(located, by_baseline(triage_report(id), "locate")), 0U);
  Json triaged = triage_report(id);
  EXPECT_EQ(settle(triaged, by_baseline(locate_report("i1", 9), "triage")), 0U);
  EXPECT_EQ(triaged["counts"]["new_groups"], 0);
  EXPECT_NE(triage_text(triaged, {}).find("known"), std::string::npos);
  Json other = triage_report("ffffffff");
  EXPECT_EQ(settle(other, by_baseline(locate_report("i1", 9), "triage")), 1U);
}

TEST(Baseline, HasTheInputsThatWereUnresolved) {
  const auto baseline = parse_baseline(triage_report("g").dump(), "triage");
  ASSERT_TRUE(baseline);
  EXPECT_TRUE(baseline->unresolved.contains("d1"));
  EXPECT_TRUE(baseline->findings.contains("g"));
}

TEST(Baseline, ThatIsNoneIsAnError) {
  const std::string check = check_report({}).dump();
  EXPECT_TRUE(parse_baseline(check, "check"));
  for (const char *command : {"locate", "triage"})
    EXPECT_FALSE(parse_baseline(check, command));
  EXPECT_FALSE(parse_baseline(triage_report("g").dump(), "check"));
  for (const char *text :
       {"", "{", "[]", "{}", "null", R"({"tool": "culprit", "command": "check"})",
        R"({"tool": "culprit", "command": "check", "runs": 7})",
        R"({"tool": "culprit", "command": "check", "runs": [7]})",
        R"({"tool": "culprit", "command": "check", "runs": [{"findings": ["x"]}]})",
        R"({"tool": "other", "command": "check", "runs": []})",
        R"({"tool": "culprit", "command": "train", "runs": []})"})
    EXPECT_FALSE(parse_baseline(text, "check")) << text;
  for (const char *text :
       {R"({"tool": "culprit", "command": "triage"})",
        R"({"tool": "culprit", "command": "triage", "groups": [{}], "unresolved": []})",
        R"({"tool": "culprit", "command": "triage", "groups": [1], "unresolved": []})",
        R"({"tool": "culprit", "command": "triage", "groups": [], "unresolved": [{}]})"})
    EXPECT_FALSE(parse_baseline(text, "triage")) << text;
}

TEST(Suppressions, PatternsAreThoseOfTheSanitizers) {
  EXPECT_TRUE(covers("best", "the_best_one"));
  EXPECT_FALSE(covers("^best", "the_best_one"));
  EXPECT_TRUE(covers("^the*one$", "the_best_one"));
  EXPECT_FALSE(covers("^the*on$", "the_best_one"));
  EXPECT_TRUE(covers("*", "anything"));
  EXPECT_TRUE(covers("a*b*c", "xxaxxbxxbxxcxx"));
  EXPECT_FALSE(covers("a*b*c", "xxaxxcxxbxx"));
  // Many stars on a long text: no more than their product.
  EXPECT_FALSE(covers("^" + std::string(50, '*') + "b$", std::string(100000, 'a')));
}

TEST(Suppressions, CoverByRuleAndNameOrFingerprint) {
  const Json document = check_report({{access_finding(10, "best")}});
  const Reported::Finding finding = reported(document, {}).findings[0];
  const auto covered = [&](const std::string &line) {
    return suppressions(line).front().covers(finding);
  };
  EXPECT_TRUE(covered("access-outlier:best"));
  EXPECT_TRUE(covered("access-outlier:^f$"));
  EXPECT_TRUE(covered("access-*:a.c$"));
  EXPECT_TRUE(covered("*:best"));
  EXPECT_TRUE(covered("access-outlier:" + finding.fingerprint));
  EXPECT_FALSE(covered("access-overrun:best"));
  EXPECT_FALSE(covered("access-outlier:worst"));
  EXPECT_FALSE(covered("heap-*:best"));
}

TEST(Suppressions, SayWhichLineIsWrong) {
  EXPECT_TRUE(parse_suppressions(""));
  EXPECT_TRUE(parse_suppressions("# only this\n\n  \r\n"));
  EXPECT_EQ(suppressions("# x\n  access-outlier : a:b  \r\n").front().pattern, "a:b");
  for (const char *text : {"\naccess-outlier", "#\n:x", "#\naccess-outlier:", "\n:",
                           "\naccess-outlier:^$", "\nno-such-rule:x", "\nno-such-*:x"}) {
    const auto parsed = parse_suppressions(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().what.find("line 2"), std::string::npos) << parsed.error().what;
  }
}

TEST(Suppressions, UnusedOnesAreListedAndUsedOnesDoNotCount) {
  Policy policy{.suppressions = suppressions("access-outlier:best\nheap-anomaly:^never$\n"),
                .suppression_file = "x.supp"};
  Json document = check_report({{access_finding(10, "best"), access_finding(20, "worst")}});
  EXPECT_EQ(settle(document, policy), 1U);
  EXPECT_EQ(document["runs"][0]["findings"][0]["suppressed"], "access-outlier:best");
  const std::string text = check_text(document, {});
  EXPECT_NE(text.find("1 finding suppressed by x.supp\n"), std::string::npos) << text;
  EXPECT_NE(text.find("x.supp:2: unused suppression: heap-anomaly:^never$\n"), std::string::npos);
  EXPECT_EQ(text.find("x.supp:1"), std::string::npos) << text;
  EXPECT_EQ(text.find("f writes best"), std::string::npos) << text;
}

TEST(Suppressions, ThoseThatAreMadeCoverWhatTheyWereMadeOfAndNothingElse) {
  Json document = check_report({{access_finding(10, "best"), access_finding(20, "worst")}});
  Json half = check_report({{access_finding(10, "best")}});
  settle(half, {});
  const std::string made = suppressions_for(reported(half, {}));
  EXPECT_EQ(settle(document, {.suppressions = suppressions(made), .suppression_file = "x"}), 1U);
  EXPECT_EQ(document["settled"]["suppressed"], 1);
}

TEST(Suppressions, OfHostileNamesAreOneLineEach) {
  Json finding = access_finding(10, "best\naccess-outlier:*");
  finding["location"]["function"] = "f\n*:*";
  Json document = check_report({{finding}});
  for (const Suppression &one : suppressions(suppressions_for(reported(document, {}))))
    EXPECT_EQ(one.pattern.find('*'), std::string::npos) << one.text;
}

} // namespace
} // namespace culprit::report
