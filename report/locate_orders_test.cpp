// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a report says of other orders of variables.
#include "engine/locate/simulated.h"
#include "report/document.h"
#include "report/locate_document.h"
#include "report/locate_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace culprit::report {
namespace {

using Json = nlohmann::ordered_json;
using namespace locate;

// A write past a variable, noticed where there are guards beside variables.
LocatedCase overrun() {
  LocatedCase one;
  one.orders = 4;
  one.located.outcome = Outcome::located;
  one.located.executions = 3;
  one.located.quiet = 3;
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
  crash.block = 0x1000;
  crash.block_size = 16;
  crash.address = 0x1010;
  Step step{.execution = 2, .crash = {crash, {}}, .error = ErrorKind::global_overflow};
  step.layout = "guard words beside every variable";
  step.suspects.push_back({{.id = id_at(9, 1), .part = Part::writer},
                           Definition{.kind = DefinitionKind::library,
                                      .at = {"/src/p.c", 12, 3, "set_title"},
                                      .variable = "title"},
                           1});
  step.suspects.push_back({{.id = 2, .part = Part::allocation, .suppress = false},
                           Definition{.kind = DefinitionKind::global,
                                      .at = {"/src/p.c", 7, 0, ""},
                                      .variable = "title"},
                           std::nullopt});
  one.located.chain.push_back(step);
  one.located.findings.push_back({});
  return one;
}

std::string text_of_one(const LocatedCase &one) {
  Json document = document_head("locate", "./p");
  add_located(document, {located_document(one)});
  return locate_text(document, {});
}

TEST(LocateOrders, AStepNamesItsOrderAndTheVariable) {
  const Json document = located_document(overrun());
  EXPECT_EQ(document["orders"], 4);
  EXPECT_EQ(document["chain"][0]["layout"], "guard words beside every variable");
  EXPECT_EQ(document["chain"][0]["crash"]["block"]["variable"], "title");
  EXPECT_EQ(document["findings"][0]["error"], "global-overflow");
}

TEST(LocateOrders, TheTextSaysWhichVariableWasOverrunInWhichOrder) {
  const std::string text = text_of_one(overrun());
  EXPECT_NE(text.find("global buffer overflow"), std::string::npos) << text;
  EXPECT_NE(text.find("writes at offset 16 of title, which has 16 bytes"), std::string::npos)
      << text;
  EXPECT_NE(text.find("guard words beside every variable"), std::string::npos) << text;
  EXPECT_NE(text.find("title is declared at /src/p.c:7"), std::string::npos) << text;
  EXPECT_NE(text.find("4 orders of variables were tried"), std::string::npos) << text;
}

TEST(LocateOrders, TheExecutionThatAcquittedAStatementIsTold) {
  LocatedCase one = overrun();
  one.located.chain[0].suspects.back().acquitted = 3;
  const std::string text = text_of_one(one);
  EXPECT_NE(text.find("execution 3: the same crash as if /src/p.c:7"), std::string::npos) << text;
}

TEST(LocateOrders, AQuietRunSaysHowManyWereTried) {
  LocatedCase one;
  one.orders = 1;
  one.located.executions = 1;
  EXPECT_NE(text_of_one(one).find("1 execution, 1 order of variables"), std::string::npos);
}

} // namespace
} // namespace culprit::report
