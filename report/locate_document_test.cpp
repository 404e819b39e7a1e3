// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/locate_document.h"

#include "engine/locate/simulated.h"
#include "report/document.h"
#include "report/locate_text.h"

#include <csignal>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace culprit::report {
namespace {

using Json = nlohmann::ordered_json;
using namespace locate;

// A write beyond a block, noticed at exit.
LocatedCase overflow() {
  LocatedCase one;
  one.label = "-x";
  one.located.outcome = Outcome::located;
  one.located.executions = 2;
  one.located.quiet = 2;
  culprit_record_crash crash = crash_at(CULPRIT_CRASH_GUARD, 0, 0);
  crash.block = 0x1000;
  crash.block_size = 32;
  crash.address = 0x1020;
  Step step{.execution = 1, .crash = {crash, {}}, .error = ErrorKind::heap_overflow};
  step.suspects.push_back({{.id = id_at(9, 1), .part = Part::writer},
                           Definition{.kind = DefinitionKind::library,
                                      .at = {"/src/p.c", 88, 3, "_ZN4Pack4nameEv"},
                                      .variable = "name",
                                      .callee = "strcpy",
                                      .leaves = {"arg"}},
                           7});
  step.suspects.push_back(
      {{.id = id_at(3, 2), .part = Part::allocation, .suppress = false},
       Definition{.kind = DefinitionKind::allocation, .at = {"/src/p.c", 80, 9, "_ZN4Pack4nameEv"}},
       std::nullopt});
  one.located.chain.push_back(step);
  one.located.findings.push_back({});
  return one;
}

TEST(LocateDocument, ACrashInALibrarysHeaderIsAtTheLineThatAskedForIt) {
  LocatedCase one = overflow();
  const std::string header = "/usr/include/c++/12/bits/new_allocator.h";
  one.stacks = {{{.function = "deallocate", .file = header, .line = 158, .column = 2},
                 {.function = "Pack::drop", .file = "/src/p.c", .line = 90, .column = 4}}};
  const Json document = located_document(one);
  const Json &crash = document["chain"][0]["crash"];
  EXPECT_EQ(crash["location"]["line"], 90);
  EXPECT_EQ(crash["inside"]["line"], 158);
  one.stacks[0].pop_back(); // nobody did
  const Json alone = located_document(one);
  EXPECT_EQ(alone["chain"][0]["crash"]["location"]["line"], 158);
}

TEST(LocateDocument, HasTheKeysOfTheContract) {
  const Json document = located_document(overflow());
  EXPECT_EQ(document["outcome"], "located");
  EXPECT_EQ(document["executions"], 2);
  ASSERT_EQ(document["first_corruption"].size(), 2u);
  const Json &first = document["first_corruption"][0];
  EXPECT_EQ(first["file"], "/src/p.c");
  EXPECT_EQ(first["line"], 88);
  EXPECT_EQ(first["column"], 3);
  EXPECT_EQ(first["function"], "Pack::name");
  EXPECT_EQ(first["instance"], 7);
  ASSERT_EQ(document["chain"].size(), 1u);
  const Json &step = document["chain"][0];
  EXPECT_EQ(step["execution"], 1);
  EXPECT_EQ(step["crash"]["kind"], "damaged-guard");
  EXPECT_TRUE(step["crash"]["location"].is_null());
  EXPECT_EQ(step["crash"]["block"]["offset"], 32);
  EXPECT_EQ(step["definitions"][1]["line"], 80);
  EXPECT_TRUE(step.contains("layout"));
}

TEST(LocateDocument, ACrashIsAtItsPlace) {
  LocatedCase one = overflow();
  Step &step = one.located.chain[0];
  step.crash.numbers = crash_at(CULPRIT_CRASH_SIGNAL, SIGSEGV, 1);
  step.place = Place{.kind = PlaceKind::load, .at = {"/src/p.c", 131, 5, "add"}};
  const Json document = located_document(one);
  EXPECT_EQ(document["chain"][0]["crash"]["kind"], "SIGSEGV");
  EXPECT_EQ(document["chain"][0]["crash"]["location"]["line"], 131);
}

TEST(LocateDocument, WhatIsNoticedLateIsWhereTheStackSays) {
  LocatedCase one = overflow();
  one.located.chain[0].place = Place{.at = {"/src/p.c", 1, 1, "elsewhere"}};
  one.stacks = {{{"free", {}, 0, 0}, {"main", "/src/p.c", 200, 3}}};
  const Json document = located_document(one);
  EXPECT_EQ(document["chain"][0]["crash"]["location"]["line"], 200);
}

TEST(LocateDocument, ARunThatDoesNotRepeatIsUnresolved) {
  LocatedCase one;
  one.difference = "the end differs";
  const Json document = located_document(one);
  EXPECT_EQ(document["outcome"], "unresolved");
  EXPECT_EQ(document["repeatable"], false);
  EXPECT_EQ(document["reason"], "not repeatable: the end differs");
}

TEST(LocateDocument, SeveralCasesAreLocatedIfAnyIs) {
  LocatedCase quiet;
  Json document = document_head("locate", "p");
  add_located(document, {located_document(quiet), located_document(overflow())});
  EXPECT_EQ(document["outcome"], "located");
  EXPECT_EQ(document["executions"], 2);
  EXPECT_EQ(document["runs"].size(), 2u);
  LocatedCase lost;
  lost.located.outcome = Outcome::unresolved;
  document = document_head("locate", "p");
  add_located(document, {located_document(lost), located_document(quiet)});
  EXPECT_EQ(document["outcome"], "unresolved");
}

TEST(LocateText, AValueThatWasOnlyCopiedIsToldByItsOrigin) {
  LocatedCase one = overflow();
  one.located.chain[0].suspects[0].definition->kind = DefinitionKind::allocation;
  Json document = document_head("locate", "p");
  add_located(document, {located_document(one)});
  EXPECT_NE(locate_text(document, {.base = "/src"})
                .find("what was written there came from p.c:88:3 in Pack::name (7th execution)"),
            std::string::npos);
}

TEST(LocateText, SaysWhereHowAndWhy) {
  Json document = document_head("locate", "p");
  add_located(document, {located_document(overflow())});
  EXPECT_EQ(locate_text(document, {.base = "/src"}),
            "p.c:88:3: first point of memory corruption: heap buffer overflow\n"
            "      = writes at offset 32 of a block of 32 bytes\n"
            "      = in Pack::name, 7th execution\n"
            "      = computed from: arg\n"
            "      = beside it: the block was allocated at p.c:80:9 in Pack::name\n"
            "  execution 1: memory behind a block of 32 bytes was written, noticed at exit\n"
            "               written at p.c:88:3 in Pack::name (7th execution)\n"
            "               the block was allocated at p.c:80:9 in Pack::name\n"
            "  execution 2: no crash with p.c:88:3 suppressed\n");
}

} // namespace
} // namespace culprit::report
