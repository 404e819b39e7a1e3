// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/triage_document.h"

#include "report/gdb_script.h"
#include "report/triage_text.h"

#include <gtest/gtest.h>

namespace culprit::report {
namespace {

using Json = nlohmann::ordered_json;

// Located at a definition of this identity, after a crash in this line.
Json located(const std::string &identity, unsigned line) {
  const Json definition = {{"file", "/src/p.c"}, {"line", 88U},      {"column", 3U},
                           {"function", "f"},    {"instance", line}, {"identity", identity}};
  return {
      {"label", "x"},
      {"args", {"x"}},
      {"outcome", "located"},
      {"executions", 2U},
      {"findings",
       {{{"error", "wild-access"}, {"execution", 1U}, {"first_corruption", {definition}}}}},
      {"first_corruption", {definition}},
      {"chain",
       {{{"execution", 1U},
         {"crash",
          {{"kind", "SIGSEGV"},
           {"location", {{"file", "/src/p.c"}, {"line", line}, {"column", 1U}, {"function", "g"}}},
           {"stack", Json::array()}}},
         {"definitions", {definition}}}}}};
}

Triage three_inputs() {
  Triage triage;
  for (const char *name : {"a", "b", "c", "d"})
    triage.inputs.push_back({.run = {.arguments = {name}, .label = name}, .digest = name});
  triage.inputs[2].digest = "a"; // a copy
  triage.documents = {
      located("i", 10), located("i", 20), {{"outcome", "unresolved"}, {"reason", "timed out"}}};
  for (const Json &document : triage.documents)
    triage.records.push_back(*triage::read_record(document));
  triage.of_input = {0, 1, 0, 2};
  return triage;
}

TEST(TriageDocument, HasTheKeysOfTheContract) {
  Json document;
  const TriageCounts counts = add_triage(document, three_inputs());
  ASSERT_EQ(document["groups"].size(), 1u);
  const Json &group = document["groups"][0];
  EXPECT_EQ(group["inputs"], (Json{"a", "c", "b"}));
  EXPECT_EQ(group["first_corruption"][0]["line"], 88);
  EXPECT_FALSE(group["first_corruption"][0].contains("instance"));
  ASSERT_EQ(group["crashes"].size(), 2u);
  EXPECT_EQ(group["crashes"][0]["location"]["line"], 10);
  EXPECT_EQ(group["crashes"][0]["inputs"], 2);
  EXPECT_EQ(document["unresolved"][0]["input"], "d");
  EXPECT_EQ(document["unresolved"][0]["reason"], "timed out");
  EXPECT_EQ(counts.groups, 1u);
  EXPECT_EQ(counts.remaining, 0u);
  EXPECT_EQ(document["counts"]["copies"], 1);
  EXPECT_FALSE(document["partial"].get<bool>());
}

TEST(TriageDocument, SaysWhatTheChainsShare) {
  Json document;
  add_triage(document, three_inputs());
  const Json &end = document["groups"][0]["common_end"];
  ASSERT_EQ(end.size(), 1u);
  EXPECT_TRUE(end[0]["crash"].is_null());
  EXPECT_EQ(end[0]["definitions"][0]["line"], 88);
}

TEST(TriageDocument, OfAnInterruptedTriageIsPartial) {
  Triage triage = three_inputs();
  triage.of_input[3].reset();
  Json document;
  EXPECT_EQ(add_triage(document, triage).remaining, 1u);
  EXPECT_TRUE(document["partial"].get<bool>());
  EXPECT_NE(triage_text(document, {}).find("1 input not looked at yet"), std::string::npos);
}

GdbTarget debug_target() {
  return {.executable = "/cache/a b",
          .arguments = {"-x", "a b"},
          .standard_input = "/tmp/in",
          .directory = "/src",
          .from_main = {-32},
          .exact = true};
}

TEST(GdbScript, StopsAtTheExecution) {
  const Json corruption = {{"file", "/src/p.c"}, {"line", 8U},      {"column", 3U},
                           {"function", "f"},    {"instance", 39U}, {"kind", "store"}};
  const std::string script = gdb_script(corruption, "heap-overflow", debug_target());
  EXPECT_NE(script.find("file '/cache/a b'\n"), std::string::npos) << script;
  EXPECT_NE(script.find("set args -x 'a b' < /tmp/in\n"), std::string::npos) << script;
  EXPECT_NE(script.find("break *((unsigned long)&main-32)\nignore $bpnum 38\nrun\n"),
            std::string::npos)
      << script;
}

TEST(GdbScript, SaysThatACopyIsCountedOnlyWhereItGoesAstrayUnlessItIsNot) {
  Json corruption = {{"instance", 2U}, {"kind", "store"}};
  EXPECT_NE(gdb_script(corruption, "wild-access", debug_target()).find("go on with `continue`"),
            std::string::npos);
  corruption["of_statement"] = true;
  EXPECT_EQ(gdb_script(corruption, "wild-access", debug_target()).find("go on with `continue`"),
            std::string::npos);
}

TEST(GdbScript, CountsTheExecutionsOfAllCopiesTogether) {
  GdbTarget target = debug_target();
  target.from_main = {16, 80};
  const std::string script = gdb_script({{"instance", 3U}}, "wild-access", target);
  EXPECT_NE(script.find("&main+16) if ++$culprit_executions == 3\n"), std::string::npos) << script;
  EXPECT_NE(script.find("&main+80) if ++$culprit_executions == 3\n"), std::string::npos) << script;
}

TEST(GdbScript, OfWhatHasNoCodeStopsWhereItsScopeBegins) {
  GdbTarget target = debug_target();
  target.from_main.clear();
  EXPECT_NE(gdb_script({{"function", "Shelf::put"}}, "uninitialised-read", target)
                .find("break 'Shelf::put'\n"),
            std::string::npos);
  EXPECT_NE(gdb_script(Json::object(), "null-dereference", target).find("break main\n"),
            std::string::npos);
}

} // namespace
} // namespace culprit::report
