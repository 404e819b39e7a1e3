// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/page.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

namespace culprit::report::html {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::string kHostile =
    "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;]]>-->\x1b[31m\n\r\xff\xc0\u202e|";

Json document(const std::string &name) {
  std::ifstream file(fs::path(CULPRIT_GOLDEN) / (name + ".json"));
  return Json::parse(file);
}

std::vector<std::string> documents() {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(CULPRIT_GOLDEN))
    if (entry.path().extension() == ".json" && has_page(document(entry.path().stem().string())))
      names.push_back(entry.path().stem().string());
  return names;
}

PageOptions options(const std::string &line) {
  return {
      .source = [line](const std::string &, size_t) -> std::optional<std::string> { return line; },
      .base = "/src/game"};
}

// What decides the page's shape is left as it is.
void replace_strings(Json &value, const std::string &by, const std::string &key = "") {
  static const std::set<std::string> kSteering = {"tool", "command", "detector",    "class",
                                                  "unit", "kind",    "learned_from"};
  if (value.is_string() && !value.get<std::string>().empty() && !kSteering.contains(key))
    value = by;
  if (value.is_object())
    for (const auto &[name, inner] : value.items())
      replace_strings(inner, by, name);
  if (value.is_array())
    for (Json &inner : value)
      replace_strings(inner, by, key);
}

// The tags of a page, in order, without what attributes say; style and script are the same in all.
std::string skeleton(const std::string &page) {
  const size_t body = page.find("<body>");
  const size_t script = page.rfind("<script>");
  const std::string inside = page.substr(body, script - body);
  std::string tags;
  static const std::regex kTag("<[^>]*>");
  for (std::sregex_iterator tag(inside.begin(), inside.end(), kTag), end; tag != end; ++tag)
    tags += std::regex_replace(tag->str(), std::regex("\"[^\"]*\""), "\"\"") + "\n";
  return tags;
}

TEST(Page, HostileNamesChangeNoTag) {
  ASSERT_FALSE(documents().empty());
  for (const std::string &name : documents()) {
    Json plain = document(name);
    Json hostile = plain;
    replace_strings(plain, "name");
    replace_strings(hostile, kHostile);
    const std::string shown = page(hostile, options(kHostile));
    EXPECT_EQ(skeleton(page(plain, options(std::string(kHostile.size(), 'n')))), skeleton(shown))
        << name;
    EXPECT_EQ(shown.find('\x1b'), std::string::npos) << name;
    EXPECT_EQ(shown.find("onerror=y>"), std::string::npos) << name;
    EXPECT_EQ(shown.find("\u202e"), std::string::npos) << name;
    // Valid UTF-8, or this would throw.
    EXPECT_NO_THROW((void)Json(shown).dump()) << name;
  }
}

TEST(Page, NamesNothingOutside) {
  for (const std::string &name : documents()) {
    const std::string shown = page(document(name), options("x"));
    EXPECT_NE(shown.find("default-src 'none'"), std::string::npos);
    static const std::regex kOutside("(?:src|href|action)=\"(?!#|data:,)");
    EXPECT_FALSE(std::regex_search(shown, kOutside)) << name;
    EXPECT_EQ(shown.find("url("), std::string::npos) << name;
    EXPECT_EQ(shown.find("@import"), std::string::npos) << name;
  }
}

// Every identifier is there once, and every link leads to one; how many links there are.
size_t links_of(const std::string &shown) {
  std::set<std::string> ids;
  static const std::regex kId(" id=\"([^\"]*)\"");
  for (std::sregex_iterator id(shown.begin(), shown.end(), kId), end; id != end; ++id)
    EXPECT_TRUE(ids.insert((*id)[1]).second) << (*id)[1];
  static const std::regex kLink("href=\"#([^\"]*)\"");
  size_t links = 0;
  for (std::sregex_iterator link(shown.begin(), shown.end(), kLink), end; link != end;
       ++link, ++links)
    EXPECT_TRUE(ids.contains((*link)[1])) << (*link)[1];
  return links;
}

TEST(Page, SeveralReportsShareOnePage) {
  const std::vector<Json> several = {document("check_access"), document("locate_located"),
                                     document("check_access"), document("diff_parts")};
  const std::string shown = joint_page(several, options("  at->next = n;"));
  EXPECT_EQ(links_of(shown), 4U + 2 * 4);
  EXPECT_NE(shown.find("<h1>culprit: ./game, ./pack</h1>"), std::string::npos);
  EXPECT_NE(shown.find("<h2 id=\"report-2-heading\">culprit locate: ./pack</h2>"),
            std::string::npos);
  // What is a section of its own page is one level below that here.
  EXPECT_NE(shown.find("<h3 id=\"report-2-findings-heading\">"), std::string::npos);
  EXPECT_NE(shown.find("<h4 id=\"report-2-finding-1-heading\">"), std::string::npos);
}

TEST(Page, DrawsAnOffendingObjectBesideAUsualOne) {
  const std::string shown = page(document("check_finding"), options("x"));
  for (const char *owed :
       {"One of the objects that moved: 1 pointer to it, 3 from it", "One as they usually are",
        "struct asset of assets.c:52 points to it.", "point to one another.",
        "It points to block of assets.c:61.", "It points to block of unknown code.",
        "Objects that moved, by where they were allocated", "1,204 of 4,200"})
    EXPECT_NE(shown.find(owed), std::string::npos) << owed;
}

TEST(Page, OfADiffShowsTheForkAndHowMuchCorresponds) {
  const std::string shown = page(document("diff_parts"), options("  if (deep)"));
  for (const char *owed : {"The runs take different ways.", "the runs part here",
                           "run A</span> <code class=\"place\">lex.c:44:3",
                           "run B</span> <code class=\"place\">lex.c:41:5", "89 %", "12,038",
                           "standard output differs at line 1"})
    EXPECT_NE(shown.find(owed), std::string::npos) << owed;
}

TEST(Page, FindingsAreLinkedAndIdentifiersUnique) {
  const std::string shown = page(document("check_access"), options("  at->next = n;"));
  EXPECT_EQ(links_of(shown), 4U);
  EXPECT_NE(shown.find("4 findings in 1 of 1 run"), std::string::npos);
}

TEST(Page, ShowsWhatTheFindingRestsOn) {
  const std::string shown = page(document("check_access"), options("  at->next = n;"));
  for (const char *owed :
       {"<mark>at-&gt;next = n</mark>", "Normal writers of this object", "25,995", "8673.3",
        "global &#39;best&#39;", "culprit check --accept access.5e0c41f09a3b7d12",
        "learned from 25 runs", "1 note below the reporting bar"})
    EXPECT_NE(shown.find(owed), std::string::npos) << owed;
  const std::string heap = page(document("check_finding"), options("  at->next = n;"));
  for (const char *owed :
       {"class=\"outside\"", "class=\"band\"", "insert_after", "Call stacks while it moved"})
    EXPECT_NE(heap.find(owed), std::string::npos) << owed;
}

TEST(Page, ModelsShowRangesAndDistributions) {
  const std::string shown = page(document("train_access"), options("x"));
  for (const char *owed :
       {"Heap metrics", "13.2 % – 18.5 %", "Sites of an object", "Alike from run to run",
        "Alike from period to period", "Objects of a site", "2 or fewer: 80.0 % of objects",
        "suspicious", "assets.c:52 in load_assets"})
    EXPECT_NE(shown.find(owed), std::string::npos) << owed;
}

TEST(Page, ManyFindingsAreThinnedAndCounted) {
  Json many = document("check_access");
  Json &findings = many["runs"][0]["findings"];
  const Json one = findings[0];
  findings = Json::array();
  for (int i = 0; i < 3000; ++i)
    findings.push_back(one);
  const std::string shown = page(many, options("x"));
  EXPECT_NE(shown.find("3,000 findings"), std::string::npos);
  EXPECT_NE(shown.find("The first 200 of 3,000 findings are shown in full"), std::string::npos);
  EXPECT_NE(shown.find("(the first 1,000 of 2,800 findings)"), std::string::npos);
  EXPECT_LT(shown.size(), 4U << 20);
}

TEST(Page, WalksFromTheFirstCorruptionToTheCrash) {
  const std::string shown = page(document("locate_located"), options("  strcpy(name, arg);"));
  const size_t cause = shown.find("first corruption</span> <code class=\"place\">pack.c:88:3");
  const size_t crash = shown.find("where it crashed</span> <code class=\"place\">pack.c:140:7");
  EXPECT_NE(cause, std::string::npos);
  EXPECT_NE(crash, std::string::npos);
  EXPECT_LT(cause, crash);
}

TEST(Page, OfALongChainShowsBothEndsAndSaysWhatIsLeftOut) {
  Json many = document("explain_crash");
  const Json one = many["transitions"][0];
  many["transitions"] = Json::array();
  for (size_t i = 0; i < 5000; ++i) {
    many["transitions"].push_back(one);
    many["transitions"].back()["location"]["line"] = i + 1;
  }
  const std::string shown = page(many, options("x"));
  EXPECT_NE(shown.find("4,901 steps left out"), std::string::npos);
  EXPECT_NE(shown.find("the cause</span>"), std::string::npos);
  EXPECT_NE(shown.find("the failure</span>"), std::string::npos);
  EXPECT_LT(shown.size(), 1U << 20);
}

TEST(Page, OnlyForWhatHasOne) {
  EXPECT_TRUE(has_page(document("diff_parts")));
  EXPECT_TRUE(has_page(document("train")));
  EXPECT_FALSE(has_page({{"tool", "culprit"}, {"command", "info"}}));
}

} // namespace
} // namespace culprit::report::html
