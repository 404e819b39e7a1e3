// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/access_document.h"

#include "report/check_document.h"
#include "report/check_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace culprit::report {
namespace {

// copy(), which writes `names` in training, writes `limit`, which set_limit() and reset() write.
class AccessDocument : public testing::Test {
protected:
  AccessDocument() {
    auto tables = std::make_shared<access::AccessTables>();
    (*tables)[1].sites = {{10, "/src/a.c", 57, 3, "copy", "strcpy", false, false}};
    checked.run.tables = tables;
    checked.run.watched = true;
    checked.run.names.resize(2);
    checked.run.names[0].key = 100;
    checked.run.names[0].name.symbol = "limit";
    checked.run.names[0].name.file = "/src/a.c";
    checked.run.names[0].name.type = "long";
    checked.run.names[1].key = 101;
    checked.run.names[1].name.symbol = "names";
    checked.run.names[1].name.member = "first";
    access::Met met;
    met.site = tables->at(1).sites.data();
    met.address = 0x1004;
    met.start = 0x1000;
    met.size = 8;
    met.length = 4;
    checked.run.pairs.push_back(met);
    model = std::make_shared<access::AccessModel>();
    model->runs = 25;
    model->site_facts[20] = {20, "/src/a.c", 20, 3, "set_limit", "", false, false};
    model->site_facts[21] = {21, "/src/a.c", 30, 3, "reset", "", false, false};
    model->name_facts[101] = checked.run.names[1].name;
    checked.model = model;
    finding.id = "access.1.2";
    finding.confidence = 0.9;
    finding.raw_confidence = 500;
    access::Outlier outlier;
    outlier.site = 10;
    outlier.name = 100;
    outlier.site_seen = true;
    outlier.site_in_program = true;
    outlier.name_seen = true;
    outlier.accesses = 1500;
    outlier.set_size = 2;
    outlier.raw_confidence = 500;
    outlier.confidence = 0.9;
    finding.members = {outlier};
    finding.usual_sites = {{20, 900, 25}, {21, 600, 20}};
    finding.usual_names = {{101, 4000, 25}};
  }

  AccessFacts facts() const { return {checked.run, *model}; }

  CheckedAccesses checked;
  std::shared_ptr<access::AccessModel> model;
  access::Finding finding;
};

TEST_F(AccessDocument, SaysWhoDidWhatAndWhoNormallyDoes) {
  EXPECT_EQ(access_message(finding, facts()),
            "copy (strcpy) writes global 'limit', which only set_limit and reset write");
}

TEST_F(AccessDocument, SitesOfOneLineThatCallsOneLibraryFunctionAreOneWriter) {
  for (const uint64_t id : {20, 22})
    model->site_facts[id] = {id,    "/src/a.cpp", 20, 3, "put", "_ZNSt6vectorIiE9push_backERKi",
                             false, false};
  finding.usual_sites = {{20, 900, 25}, {21, 1500, 20}, {22, 700, 3}};
  const auto writers = access_finding_document(finding, facts())["writers"];
  ASSERT_EQ(writers.size(), 2U);
  EXPECT_EQ(writers[0]["function"], "put");
  EXPECT_EQ(writers[0]["callee"], "std::vector::push_back");
  EXPECT_EQ(writers[0]["count"], 1600);
  EXPECT_EQ(writers[0]["runs"], 25);
  EXPECT_EQ(writers[1]["function"], "reset");
}

TEST_F(AccessDocument, CountsWritersThatAreTooManyToName) {
  for (uint64_t id = 30; id < 34; ++id) {
    model->site_facts[id].function = "f" + std::to_string(id);
    finding.usual_sites.push_back({id, 1, 1});
  }
  EXPECT_EQ(access_message(finding, facts()),
            "copy (strcpy) writes global 'limit', which only set_limit, reset and 4 others write");
}

TEST_F(AccessDocument, ANewPlaceInTheOnlyWriterIsNotSaidToBeAnother) {
  model->site_facts[20].function = "copy";
  finding.usual_sites.resize(1);
  EXPECT_EQ(access_message(finding, facts()), "copy (strcpy) writes global 'limit', which it wrote "
                                              "in training, but not here");
  finding.usual_sites.clear();
  EXPECT_EQ(access_message(finding, facts()),
            "copy (strcpy) writes global 'limit', which nothing wrote in training");
  checked.run.names[0].name.kind = access::NameKind::local; // its function may have, by name
  checked.run.names[0].name.function = "main";
  EXPECT_EQ(
      access_message(finding, facts()),
      "copy (strcpy) writes local 'limit' of main, which nothing wrote by pointer or index in "
      "training");
}

TEST_F(AccessDocument, BlocksThatReadAlikeAreToldApartByTheCallsThatAllocatedThem) {
  auto sites = std::make_shared<heap::SiteTables>();
  const auto call = [&](uint64_t id, const char *function, unsigned line) {
    (*sites)[1].push_back(
        {id, heap::SiteKind::call, "/src/j.c", line, 1, function, "", "", {}, false});
  };
  call(1, "new_value", 14);
  call(2, "parse_array", 40);
  call(3, "parse_object", 60);
  call(4, "parse_object", 66);
  checked.run.heap_sites = sites;
  access::Name &own = checked.run.names[0].name;
  own = {access::NameKind::heap, "", "new_value", "/src/j.c", 14, "value", "first", {1, 3}, false};
  access::Name other = own;
  other.chain = {1, 2};
  model->name_facts[101] = other;
  EXPECT_EQ(access_finding_document(finding, facts())["evidence"][0],
            "in training this place wrote only value (j.c:14).first allocated by new_value ← "
            "parse_array, here by new_value ← parse_object");
  model->name_facts[101].chain = {1, 4}; // the same function, at another line
  EXPECT_EQ(access_finding_document(finding, facts())["evidence"][0],
            "in training this place wrote only value (j.c:14).first allocated by new_value:14 ← "
            "parse_object:66, here by new_value:14 ← parse_object:60");
}

TEST_F(AccessDocument, BlocksOfOnePlaceAreSaidOnceWithTheNumberOfTheirCallStacks) {
  access::Name block{
      access::NameKind::heap, "", "new_value", "/src/j.c", 14, "value", "first", {1, 2}, false};
  for (uint64_t caller = 0; caller < 3; ++caller) {
    block.chain[1] = caller;
    model->name_facts[200 + caller] = block;
    finding.usual_names.push_back({200 + caller, 10, 5});
  }
  EXPECT_EQ(access_finding_document(finding, facts())["evidence"][0],
            "in training this place wrote names.first and value (j.c:14).first (3 call stacks)");
}

TEST_F(AccessDocument, HasTheKeysOfTheContract) {
  const auto json = access_finding_document(finding, facts());
  for (const char *key : {"id", "detector", "rank", "confidence", "raw_confidence", "message",
                          "location", "stacks", "object", "metric", "value", "range"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["detector"], "access");
  EXPECT_EQ(json["location"]["line"], 57);
  EXPECT_EQ(json["object"]["kind"], "global");
  EXPECT_EQ(json["object"]["offset"], 4);
  EXPECT_EQ(json["writers"][0]["share"], 0.6);
  EXPECT_EQ(json["counts"]["accesses"], 1500);
}

TEST_F(AccessDocument, EvidenceTellsAnOverrunFromADanglingPointer) {
  finding.members[0].evidence = access::Evidence::overrun;
  finding.members[0].from = 1;
  auto lines = access_finding_document(finding, facts())["evidence"];
  EXPECT_EQ(lines[0], "an overrun: just before it lies global 'names', member 'first', which this "
                      "place normally writes");
  EXPECT_EQ(lines[1], "in training this place wrote only names.first");
  finding.members[0].evidence = access::Evidence::dangling;
  lines = access_finding_document(finding, facts())["evidence"];
  EXPECT_TRUE(lines[0].get<std::string>().starts_with("a dangling pointer: "));
}

TEST_F(AccessDocument, WhatARunsOwnStartTaughtWasLearnedFromPeriods) {
  AccessFacts by_start = facts();
  by_start.by_start = true;
  EXPECT_EQ(access_finding_document(finding, by_start)["evidence"][1],
            "learned from the first 25 periods of this run");
}

TEST_F(AccessDocument, SaysWhatTrainingKnew) {
  const access::Settled settled{20, 4};
  AccessFacts with = facts();
  with.settled = &settled;
  const auto lines = access_finding_document(finding, with)["evidence"];
  EXPECT_EQ(lines[1],
            "learned from 25 runs; 20 met this object, and its 2 writers were known after "
            "the first 4 of them");
  EXPECT_EQ(lines[2], "1,500 accesses in training × (0 + 1) / (2 + 1) = 500; confidence 0.90");
  finding.members[0].site_seen = false;
  finding.members[0].name_seen = false;
  const auto fresh = access_finding_document(finding, with)["evidence"];
  EXPECT_EQ(fresh[0], "this place never ran in training");
  EXPECT_EQ(fresh[1], "learned from 25 runs, none of which met this object");
}

TEST_F(AccessDocument, LibraryCodeIsShownWhereTheProgramCalledIt) {
  auto tables = std::make_shared<access::AccessTables>(*checked.run.tables);
  (*tables)[1].sites[0].file = "/usr/include/c++/12/bits/stl_algobase.h";
  checked.run.pairs[0].site = tables->at(1).sites.data();
  const monitor::Frames stack = {{"/usr/include/c++/12/bits/stl_algobase.h", 9, 1, "std::copy"},
                                 {"/src/b.cpp", 40, 5, "Names::assign"}};
  AccessFacts with = facts();
  with.stack = &stack;
  EXPECT_EQ(access_finding_document(finding, with)["location"]["file"], "/src/b.cpp");
  EXPECT_TRUE(access_message(finding, with).starts_with("Names::assign (copy) writes"));
  EXPECT_EQ(access_finding_document(finding, facts())["location"]["line"], 57);
}

TEST_F(AccessDocument, RanksWithTheHeapByConfidenceAndKeepsEachDetectorsOrder) {
  CheckedRun run;
  for (const double confidence : {0.95, 0.5, 0.8}) {
    heap::Finding heap;
    heap.id = "heap";
    heap.metric = heap::find_metric("indegree1");
    heap.confidence = confidence;
    run.verdict.findings.push_back(heap);
  }
  run.accesses = checked;
  run.accesses.verdict.findings = {finding};
  const auto findings = check_run_document(run, {})["findings"];
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_EQ(findings[1]["detector"], "access");
  EXPECT_EQ(findings[2]["confidence"], 0.5);
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(findings[i]["rank"], i + 1);
}

TEST_F(AccessDocument, HostileNamesAreHarmlessOnATerminal) {
  checked.run.names[0].name.symbol = "x\x1b[2J";
  CheckedRun run;
  run.accesses = checked;
  run.accesses.verdict.findings = {finding};
  const std::string text =
      check_text({{"program", "p"}, {"runs", {check_run_document(run, {})}}}, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_NE(text.find("global 'x?[2J'"), std::string::npos) << text;
}

} // namespace
} // namespace culprit::report
