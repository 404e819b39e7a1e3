// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/check_document.h"

#include "report/check_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace culprit::report {
namespace {

heap::Finding finding_of(heap::FindingKind kind, const char *metric) {
  heap::Finding finding;
  finding.id = "heap.indegree1.high";
  finding.kind = kind;
  finding.metric = heap::find_metric(metric);
  finding.high = true;
  finding.value = 31.04;
  finding.range = {13.21, 18.5};
  finding.runs = 25;
  finding.left_at = 0.62;
  finding.stayed = true;
  finding.confidence = 0.9;
  finding.rank = 1;
  return finding;
}

CheckedRun example() {
  CheckedRun checked;
  checked.label = "level7.map";
  checked.arguments = {"level7.map"};
  checked.status = "exit code 0";
  checked.verdict.findings = {finding_of(heap::FindingKind::anomaly, "indegree1")};
  checked.verdict.remarks = {"one"};
  checked.explanation.remarks = {"two"};
  checked.remarks = {"three"};
  monitor::Explained explained;
  heap::Suspect suspect;
  suspect.place = {"/src/assets.c", 57, 3, "insert_after"};
  suspect.role = heap::Role::linked;
  suspect.count = 3;
  suspect.of = 4;
  suspect.text = "3 of the 4 objects that entered this class were linked here";
  explained.blame.suspects = {suspect};
  explained.stacks.during = {{{"insert_after", "main"}, 9, 0.9}};
  checked.explanation.places["insert_after"] = {"/src/assets.c", 60, 1, "insert_after"};
  checked.explanation.findings = {explained};
  return checked;
}

TEST(FindingMessage, SaysWhatItIsAndWhatWasLearned) {
  EXPECT_EQ(finding_message(finding_of(heap::FindingKind::anomaly, "indegree1"), {}),
            "'indegree = 1' is 31.0 % of the heap, learned range 13.2–18.5 %");
  EXPECT_EQ(finding_message(finding_of(heap::FindingKind::poorly_disguised, "indegree1"), {}),
            "'indegree = 1' stays at 31.0 % of the heap, the upper end of its learned range "
            "13.2–18.5 %");
}

TEST(FindingMessage, AMeanIsToldPerObject) {
  heap::Finding finding = finding_of(heap::FindingKind::anomaly, "pointers");
  finding.of_site = true;
  finding.value = 178.3;
  finding.range = {217.9, 229.5};
  EXPECT_EQ(finding_message(finding, {}), "'pointers held' is 1.78 by each object allocated at "
                                          "code without bitcode, learned range 2.18–2.29");
}

TEST(FindingMessage, AnUnknownSiteIsNoReasonToFail) {
  heap::Finding finding = finding_of(heap::FindingKind::new_site, "indegree1");
  finding.metric = nullptr;
  finding.objects = 1200;
  EXPECT_EQ(finding_message(finding, {}),
            "1,200 objects allocated at code without bitcode, where no training run allocated");
}

TEST(CheckDocument, HasTheKeysOfTheContract) {
  const auto run = check_run_document(example(), {});
  EXPECT_EQ(run["status"], "exit code 0");
  EXPECT_EQ(run["args"][0], "level7.map");
  EXPECT_EQ(run["remarks"], nlohmann::ordered_json({"one", "two", "three"}));
  const auto &finding = run["findings"][0];
  for (const char *key : {"id", "detector", "rank", "confidence", "message", "location", "stacks",
                          "object", "metric", "value", "range"})
    EXPECT_TRUE(finding.contains(key)) << key;
  EXPECT_EQ(finding["detector"], "heap");
  EXPECT_EQ(finding["metric"], "indegree1");
  EXPECT_EQ(finding["range"]["min"], 13.21);
  EXPECT_EQ(finding["location"]["function"], "insert_after");
  EXPECT_EQ(finding["location"]["line"], 57);
  EXPECT_EQ(finding["suspects"][0]["role"], "linked");
  EXPECT_EQ(finding["suspects"][0]["share"], 0.75);
  EXPECT_EQ(finding["stacks"]["during"][0]["frames"][0]["line"], 60);
  EXPECT_EQ(finding["stacks"]["during"][0]["frames"][1]["function"], "main");
}

TEST(CheckDocument, SaysWhyAFindingWasLearnedFromFewerRunsThanTheModel) {
  CheckedRun checked = example();
  checked.verdict.findings[0].of_runs = 29;
  const auto evidence = [&] {
    return check_run_document(checked, {})["findings"][0]["evidence"][0];
  };
  EXPECT_EQ(evidence(), "learned from 25 of 29 runs, those in which it was stable; left the range "
                        "at 62 % of this run and stayed outside");
  checked.verdict.findings[0].of_site = true;
  EXPECT_TRUE(evidence().get<std::string>().starts_with(
      "learned from 25 of 29 runs, those with enough of these objects; "));
  checked.verdict.findings[0].of_runs = 25;
  EXPECT_TRUE(evidence().get<std::string>().starts_with("learned from 25 runs; "));
}

TEST(CheckText, HeapAndAccessSetsMayBeLearnedFromDifferentRuns) {
  nlohmann::ordered_json document = {{"program", "./p"},
                                     {"learned_from", "model"},
                                     {"learned_runs", 30U},
                                     {"learned_by", {{"heap", 29U}, {"access", 30U}}},
                                     {"runs", {{{"status", "exit code 0"}, {"points", 12}}}}};
  EXPECT_NE(
      check_text(document, {}).find("learned from 30 runs: the heap from 29, access sets from 30)"),
      std::string::npos)
      << check_text(document, {});
  document["learned_by"]["heap"] = 30U;
  EXPECT_NE(check_text(document, {}).find("learned from 30 runs)"), std::string::npos);
}

TEST(CheckDocument, ANoteHasTheShapeOfAFinding) {
  CheckedRun checked = example();
  checked.verdict.notes = checked.verdict.findings;
  const auto run = check_run_document(checked, {});
  for (const auto &[key, value] : run["notes"][0].items())
    EXPECT_TRUE(run["findings"][0].contains(key)) << key;
}

TEST(CheckDocument, TheSeriesOfASiteIsThatOfItsMetric) {
  CheckedRun checked = example();
  heap::Finding &finding = checked.verdict.findings[0];
  finding.metric = heap::find_metric("pointers");
  finding.of_site = true;
  finding.site = 100;
  checked.run.sites = {{100, nullptr}};
  checked.run.contexts[1] = {0, {}};
  for (uint32_t i = 0; i < 3; ++i) {
    heap::Point point;
    point.index = i + 1;
    point.work = 1000 * (i + 1);
    checked.run.points.push_back(point);
    heap::Cells cells{};
    cells[culprit_cell(1, i == 0 ? 5 : 4)] = 10; // five pointers each, then four
    checked.run.changes.push_back({i, 1, cells});
  }
  const auto run = check_run_document(checked, {});
  const auto series = run["findings"][0]["series"].get<std::vector<double>>();
  ASSERT_FALSE(series.empty());
  EXPECT_EQ(series.front(), 500);
  EXPECT_EQ(series.back(), 400);
}

TEST(CheckText, NamesTheGuiltyFunctionOnTheFirstLines) {
  nlohmann::ordered_json document = {{"program", "./game"},
                                     {"runs", {check_run_document(example(), {})}}};
  const std::string text = check_text(document, {});
  EXPECT_NE(text.find("/src/assets.c:57:3: heap anomaly: 'indegree = 1' is 31.0 %"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("were linked here, in insert_after()"), std::string::npos) << text;
}

} // namespace
} // namespace culprit::report
