// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/reported.h"

#include "engine/locate/blame.h"
#include "engine/triage/group.h"
#include "report/junit.h"
#include "report/reported_for_tests.h"
#include "report/rules.h"
#include "report/sarif.h"

#include <gtest/gtest.h>
#include <set>

namespace culprit::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(Fingerprint, SurvivesLinesThatMoveAndFoldersThatAreRenamed) {
  const auto before = reported(check_report({{access_finding(10, "best")}}), {});
  Json moved = access_finding(310, "best");
  moved["location"]["file"] = "/elsewhere/a.c";
  moved["id"] = "access.2";
  const auto after = reported(check_report({{moved}}), {});
  EXPECT_EQ(before.findings[0].fingerprint, after.findings[0].fingerprint);
  EXPECT_EQ(reported(locate_report("i1", 8), {}).findings[0].fingerprint,
            reported(locate_report("i1", 80), {}).findings[0].fingerprint);
}

TEST(Fingerprint, TellsObjectsFunctionsAndRulesApart) {
  Json elsewhere = access_finding(10, "best");
  elsewhere["location"]["function"] = "g";
  Json other = access_finding(10, "best");
  other["kind"] = "overrun";
  std::set<std::string> all;
  for (const Json &one :
       {access_finding(10, "best"), access_finding(10, "worst"), elsewhere, other})
    all.insert(reported(check_report({{one}}), {}).findings[0].fingerprint);
  EXPECT_EQ(all.size(), 4U);
}

TEST(Fingerprint, OfTwinsInOneRunDiffersAndInTwoRunsIsTheSame) {
  const auto all = reported(check_report({{access_finding(10, "best"), access_finding(20, "best")},
                                          {access_finding(10, "best")}}),
                            {});
  EXPECT_NE(all.findings[0].fingerprint, all.findings[1].fingerprint);
  EXPECT_EQ(all.findings[0].fingerprint, all.findings[2].fingerprint);
}

TEST(Fingerprint, OfALocatedCorruptionIsTheIdOfItsGroup) {
  EXPECT_EQ(reported(locate_report("i1", 8), {}).findings[0].fingerprint,
            triage::group_id("i1", "heap-overflow"));
}

TEST(Rules, HaveIdsOfTheirOwnAndCoverEveryKindOfError) {
  std::set<std::string_view> ids;
  for (const Rule &rule : rules())
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
  for (size_t i = 0; i <= static_cast<size_t>(locate::ErrorKind::intra_object_overflow); ++i) {
    const std::string error(name_of(static_cast<locate::ErrorKind>(i)));
    EXPECT_EQ(corruption_rule(error).id, "corruption-" + error);
  }
}

TEST(Rules, OfWhatANewerCulpritFindsAreTheGeneralOnes) {
  EXPECT_EQ(check_rule("access", "telepathy").id, "access-outlier");
  EXPECT_EQ(check_rule("heap", "telepathy").id, "heap-anomaly");
  EXPECT_EQ(corruption_rule("telepathy").id, "corruption-wild-access");
}

TEST(Sarif, TheSameFindingInSeveralRunsIsOneResultThatSaysHowOften) {
  const Json log = sarif(reported(check_report({{access_finding(10, "best")},
                                                {access_finding(10, "best")},
                                                {access_finding(10, "worst")}}),
                                  {}),
                         {});
  const Json &results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0]["occurrenceCount"], 2);
  EXPECT_EQ(results[0]["properties"]["runs"], Json({"run0", "run1"}));
  EXPECT_FALSE(results[1].contains("occurrenceCount"));
}

TEST(Sarif, ObjectAndNormalWritersAreRelatedAndChainsAreCodeFlows) {
  const Json check = sarif(reported(check_report({{access_finding(10, "best")}}), {}), {});
  const Json &related = check["runs"][0]["results"][0]["relatedLocations"];
  ASSERT_EQ(related.size(), 2U);
  EXPECT_EQ(related[1]["message"]["text"], "normal writer: g (7 times).");
  const Json locate = sarif(reported(locate_report("i", 8), {}), {});
  const Json &steps =
      locate["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0]["location"]["physicalLocation"]["region"]["startLine"], 8);
  EXPECT_EQ(steps[1]["location"]["physicalLocation"]["region"]["startLine"], 38);
}

TEST(Sarif, NamesFilesBelowTheRootRelativeToItAndOthersWhole) {
  Json finding = access_finding(10, "best");
  finding["location"]["file"] = "/src/sub folder/../a b.c";
  const Json inside =
      sarif(reported(check_report({{finding}}), {}), {.source = {}, .root = "/src"});
  const auto place = [](const Json &log) {
    return log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
  };
  EXPECT_EQ(place(inside), Json({{"uri", "a%20b.c"}, {"uriBaseId", "%SRCROOT%"}}));
  finding["location"]["file"] = "/srcs/a\xff.c";
  EXPECT_EQ(place(sarif(reported(check_report({{finding}}), {}), {.source = {}, .root = "/src"})),
            Json({{"uri", "file:///srcs/a%FF.c"}}));
}

TEST(Sarif, CountsColumnsInCharacters) {
  Json finding = access_finding(10, "best");
  finding["location"]["column"] = 13U; // of the x, in bytes
  const SourceLine source = [](const std::string &, size_t) {
    return std::optional<std::string>("/* äöü */ x();");
  };
  const Json log =
      sarif(reported(check_report({{finding}}), {}), {.source = source, .root = "/src"});
  const Json &region = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 10);
  EXPECT_EQ(region["endColumn"], 14);
}

TEST(Sarif, OfAFindingWithoutPlaceNamesTheProgram) {
  Json finding = access_finding(10, "best");
  finding["location"] = nullptr;
  const Json log = sarif(reported(check_report({{finding}}), {}), {});
  EXPECT_EQ(
      log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
      "p");
}

TEST(Junit, ARunFailsWithItsFindingsAndAnUnresolvedOneIsAnError) {
  const std::string xml = junit(reported(triage_report("g1"), {}), "/src");
  EXPECT_NE(xml.find("tests=\"3\" failures=\"2\" errors=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("<failure type=\"corruption-heap-overflow\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("<error type=\"unresolved\" message=\"timed out\"/>"), std::string::npos);
}

TEST(Junit, WhatABaselineKnowsFailsNothing) {
  Json document = triage_report("g1");
  document["groups"][0]["known"] = true;
  const std::string xml = junit(reported(document, {}), "/src");
  EXPECT_NE(xml.find("failures=\"0\""), std::string::npos) << xml;
  EXPECT_EQ(xml.find("<failure"), std::string::npos) << xml;
}

TEST(Junit, NamesThatAreMarkupOrNoTextStayNames) {
  Json document =
      check_report({{access_finding(10, "</failure><x a=\"b\">&\x1b\x01\xff\xef\xbf\xbe")}});
  document["runs"][0]["label"] = "a\nb\"<>";
  const std::string xml = junit(reported(document, {}), "/src");
  EXPECT_EQ(xml.find("<x"), std::string::npos) << xml;
  EXPECT_NE(xml.find("name=\"a?b&quot;&lt;&gt;\""), std::string::npos) << xml;
  for (const char c : xml)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  EXPECT_EQ(xml.find("\xef\xbf\xbe"), std::string::npos);
}

} // namespace
} // namespace culprit::report
