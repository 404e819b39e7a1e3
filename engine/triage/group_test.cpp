// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/triage/group.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace culprit::triage {
namespace {

Record record(const std::string &error, std::vector<Link> chain) {
  return {.outcome = "located", .error = error, .chain = std::move(chain)};
}

TEST(Group, IsByTheFirstCorruptionWhateverTheCrash) {
  const std::vector<Record> records = {
      record("wild-access", {{"SIGSEGV a", {"x"}}}),
      record("wild-access", {{"SIGSEGV b", {"y"}}, {"SIGSEGV c", {"x"}}}),
      record("wild-access", {{"SIGSEGV a", {"y"}}}),
      {.outcome = "unresolved"},
      {.outcome = "no-corruption"}};
  const auto groups = group(records);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].members, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(groups[1].members, (std::vector<size_t>{2}));
  EXPECT_NE(groups[0].id, groups[1].id);
}

TEST(Group, IsPartedByTheKindOnlyWhereTheStatementsPartIsAnother) {
  const std::vector<Record> records = {record("use-after-free", {{"SIGSEGV a", {"x"}}}),
                                       record("double-free", {{"double-free b", {"x"}}}),
                                       record("heap-overflow", {{"damaged-guard", {"x"}}}),
                                       record("wild-access", {{"SIGSEGV a", {"x"}}}),
                                       record("uninitialised-read", {{"SIGSEGV a", {"x"}}})};
  const auto groups = group(records);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[2].members, (std::vector<size_t>{4}));
}

TEST(Group, KnowsWhatAllChainsEndIn) {
  const Link last = {"SIGSEGV a", {"x"}};
  const Link before = {"SIGSEGV b", {"y"}};
  const Link elsewhere = {"SIGSEGV c", {"y"}};
  const auto groups =
      group(std::vector{record("wild-access", {before, last}),
                        record("wild-access", {{"SIGSEGV d", {"z"}}, elsewhere, last})});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].common, 1u);
  EXPECT_TRUE(groups[0].same_causes_before);
}

TEST(Group, OfDifferentLastCrashesHasTheirCauseInCommon) {
  const auto groups = group(std::vector{record("wild-access", {{"SIGSEGV a", {"x", "u"}}}),
                                        record("wild-access", {{"SIGSEGV b", {"x", "v"}}})});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].common, 0u);
  EXPECT_TRUE(groups[0].same_causes_before);
}

TEST(Group, HasAnIdOfTheCorruptionAlone) {
  const Record one = record("heap-overflow", {{"damaged-guard", {"x"}}});
  const Record other = record("wild-access", {{"SIGSEGV a", {"y"}}, {"SIGSEGV b", {"x", "z"}}});
  EXPECT_EQ(group_id(one), group_id(other));
  EXPECT_EQ(group_id(one).size(), 8u);
}

TEST(Group, CountsWhatFramesWouldMake) {
  std::vector<Record> records = {record("wild-access", {{"SIGSEGV a", {"x"}}}),
                                 record("wild-access", {{"SIGSEGV a", {"x"}}}),
                                 record("wild-access", {{"SIGSEGV a", {"x"}}})};
  records[0].frames = {"f", "main"};
  records[1].frames = {"g", "main"};
  records[2].frames = {"f", "main"};
  EXPECT_EQ(group(records)[0].frame_groups, 2u);
  EXPECT_EQ(frame_groups(records), 2u);
}

TEST(Record, IsReadUpToTheCrashOfTheFinding) {
  const auto document = nlohmann::ordered_json::parse(R"({
    "outcome": "located", "findings": [{"error": "wild-access", "execution": 2}],
    "chain": [
      {"execution": 1, "crash": {"kind": "SIGSEGV", "location": {"file": "a.c", "line": 3},
        "stack": [{"function": "strlen", "file": ""}, {"function": "f", "file": "a.c", "line": 3}]},
       "definitions": [{"identity": "y"}]},
      {"execution": 2, "crash": {"kind": "SIGSEGV", "location": null},
       "definitions": [{"identity": "x"}]},
      {"execution": 3, "crash": {"kind": "SIGSEGV"}, "definitions": [{"identity": "x"}]}]})");
  const auto read = read_record(document);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->chain.size(), 2u);
  EXPECT_EQ(read->chain[1].causes, std::vector<std::string>{"x"});
  EXPECT_EQ(read->frames.size(), 1u);
  EXPECT_TRUE(read->located());
}

TEST(Record, ThatIsNoneIsAnError) {
  for (const char *text :
       {"[]", "1", R"({"outcome": 1})", R"({"outcome": "located"})",
        R"({"outcome": "located", "findings": [1], "chain": []})",
        R"({"outcome": "located", "findings": [{"execution": 1}], "chain": [{"execution": 1}]})",
        R"({"outcome": "unresolved", "chain": {}})"})
    EXPECT_FALSE(read_record(nlohmann::ordered_json::parse(text))) << text;
}

} // namespace
} // namespace culprit::triage
