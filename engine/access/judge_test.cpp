// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/simulated.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

using simulated::Program;

// Two functions that each write an object of their own, in every run.
struct Judging : testing::Test {
  Program program{8};
  size_t a = program.add_name(NameKind::global);
  size_t b = program.add_name(NameKind::heap);
  size_t never = program.add_name(NameKind::global);
  size_t slot = program.add_name(NameKind::return_slot);
  size_t new_block = program.add_name(NameKind::heap);
  size_t behind = program.add_name(NameKind::outside);
  AccessSettings settings;
  History history;

  AccessRun normal() {
    AccessRun run = program.start();
    program.meet(run, 0, a, 10);
    program.meet(run, 4, b, 20);
    return run;
  }
  void train(size_t runs, const std::function<void(AccessRun &, size_t)> &more = {}) {
    add_program(history, *program.tables);
    for (size_t i = 0; i < runs; ++i) {
      AccessRun run = normal();
      if (more)
        more(run, i);
      Summary summary = summarize(run);
      summary.run.arguments = std::to_string(history.runs.size());
      add_run(history, summary);
    }
  }
  Verdict judged(const AccessRun &run) { return judge(learn(history, settings), run, settings); }
};

TEST_F(Judging, ANormalRunHasNothing) {
  train(10);
  const Verdict verdict = judged(normal());
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_TRUE(verdict.notes.empty());
  EXPECT_EQ(verdict.pairs, 2u);
  EXPECT_EQ(verdict.outliers, 0u);
  EXPECT_EQ(verdict.runs, 10u);
  EXPECT_EQ(verdict.sites_known, 8u);
  EXPECT_EQ(verdict.sites_total, 8u);
}

// All names have one key, the same in the model: what tells them apart is who they are.
TEST_F(Judging, NamesWithOneKeyHideNoOutlier) {
  for (const uint64_t mask : {uint64_t{0}, uint64_t{1}}) {
    g_key_mask = mask;
    history = {};
    train(30);
    AccessRun run = normal();
    program.meet(run, 0, b);
    program.meet(run, 4, never);
    const Verdict verdict = judged(run);
    g_key_mask = ~uint64_t{0};
    std::set<std::pair<uint64_t, uint32_t>> told;
    for (const auto *list : {&verdict.findings, &verdict.notes})
      for (const Finding &finding : *list)
        for (const Outlier &outlier : finding.members)
          told.emplace(outlier.site, run.pairs[outlier.pair].name);
    EXPECT_TRUE(told.contains({program.site(0).id, static_cast<uint32_t>(b)}));
    EXPECT_TRUE(told.contains({program.site(4).id, static_cast<uint32_t>(never)}));
  }
}

TEST_F(Judging, AWrongPointerIsFoundWithThePapersConfidence) {
  train(30);
  AccessRun run = normal();
  program.meet(run, 0, b); // the site of a writes b
  const Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 1u);
  const Outlier &lead = verdict.findings[0].lead();
  EXPECT_EQ(lead.site, program.site(0).id);
  EXPECT_EQ(lead.accesses, 30u * 20);
  EXPECT_EQ(lead.set_size, 1u);
  EXPECT_EQ(lead.occurrences, 0u);
  EXPECT_DOUBLE_EQ(lead.raw_confidence, 600.0 * 1 / 2);
  EXPECT_TRUE(lead.site_seen);
  EXPECT_TRUE(lead.name_seen);
  EXPECT_EQ(lead.evidence, Evidence::none);
  EXPECT_EQ(verdict.findings[0].rank, 1);
  ASSERT_EQ(verdict.findings[0].usual_sites.size(), 1u);
  EXPECT_EQ(verdict.findings[0].usual_sites[0].id, program.site(4).id);
  EXPECT_EQ(verdict.findings[0].usual_sites[0].runs, 30u);
  EXPECT_EQ(verdict.findings[0].usual_names[0].id, key_of(program.names[a]));
  EXPECT_GT(verdict.findings[0].confidence, 0.5);
  EXPECT_LT(verdict.findings[0].confidence, 1);
}

TEST_F(Judging, OccurrencesCountTheOtherNamesOfTheSite) {
  train(30);
  AccessRun run = normal();
  program.meet(run, 0, b);
  program.meet(run, 0, never);
  const Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 1u) << "one site, one mistake";
  ASSERT_EQ(verdict.findings[0].members.size(), 2u);
  for (const Outlier &member : verdict.findings[0].members)
    EXPECT_EQ(member.occurrences, 1u);
  EXPECT_DOUBLE_EQ(verdict.findings[0].raw_confidence, 600.0 * 2 / 2);
}

TEST_F(Judging, LittleTrainingMakesNotes) {
  train(2);
  AccessRun run = normal();
  program.meet(run, 0, b);
  const Verdict verdict = judged(run);
  EXPECT_TRUE(verdict.findings.empty());
  ASSERT_EQ(verdict.notes.size(), 1u);
  EXPECT_LT(verdict.notes[0].confidence, 0.5);
}

TEST_F(Judging, ASiteThatKeepsMeetingNewNamesMakesNotes) {
  std::vector<size_t> blocks;
  for (size_t i = 0; i < 31; ++i)
    blocks.push_back(program.add_name(NameKind::heap));
  train(30, [&](AccessRun &run, size_t i) { program.meet(run, 5, blocks[i]); });
  AccessRun run = normal();
  program.meet(run, 5, blocks[30]);
  program.meet(run, 5, a);
  EXPECT_TRUE(judged(run).findings.empty());
  EXPECT_FALSE(judged(run).notes.empty());
}

TEST_F(Judging, CodeThatNeverRanMakesNotes) {
  train(30);
  AccessRun run = normal();
  program.meet(run, 6, a);
  program.meet(run, 6, new_block);
  const Verdict verdict = judged(run);
  EXPECT_TRUE(verdict.findings.empty());
  ASSERT_FALSE(verdict.notes.empty());
  EXPECT_FALSE(verdict.notes[0].lead().site_seen);
  EXPECT_TRUE(verdict.notes[0].lead().site_in_program);
}

TEST_F(Judging, ADirectAccessIsPruned) {
  const size_t direct = program.add_site("g", true);
  train(30);
  AccessRun run = normal();
  program.meet(run, direct, a);
  Verdict verdict = judged(run);
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_TRUE(verdict.notes.empty());
  EXPECT_EQ(verdict.outliers, 1u);
  EXPECT_EQ(verdict.pruned, 1u);
  settings.prune = false;
  verdict = judged(run);
  EXPECT_EQ(verdict.notes.size(), 1u);
  EXPECT_EQ(verdict.pruned, 0u);
}

TEST_F(Judging, AReturnAddressMayNotBeWritten) {
  train(5);
  AccessRun run = normal();
  Met &met = program.meet(run, 0, slot);
  met.before = static_cast<uint32_t>(a);
  const Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].lead().evidence, Evidence::return_slot);
  EXPECT_EQ(verdict.findings[0].lead().from, a);
  AccessRun cold = normal();
  program.meet(cold, 7, slot); // by code that never ran
  EXPECT_EQ(judged(cold).findings.size(), 1u);
}

TEST_F(Judging, MemoryOfNoObjectMayNotBeWritten) {
  train(5);
  AccessRun run = normal();
  Met &met = program.meet(run, 4, behind);
  met.before = static_cast<uint32_t>(b);
  const Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].lead().evidence, Evidence::outside);
  EXPECT_EQ(verdict.findings[0].lead().from, b);
}

// The second goes on to hit an object that is accessed often; that is no reason to tell it first.
TEST_F(Judging, OfTwoThatWriteMemoryOfNoObjectTheFirstIsTheCause) {
  const size_t elsewhere = program.add_name(NameKind::outside);
  train(30);
  AccessRun run = normal();
  program.meet(run, 0, behind);
  program.meet(run, 4, elsewhere);
  program.meet(run, 4, a);
  const Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 2u);
  EXPECT_EQ(verdict.findings[0].confidence, verdict.findings[1].confidence);
  EXPECT_GT(verdict.findings[1].raw_confidence, verdict.findings[0].raw_confidence);
  EXPECT_EQ(verdict.findings[0].lead().site, program.site(0).id);
}

// Training knows the second site a little better; that is no reason either.
TEST_F(Judging, TheFirstThatWritesWhereNobodyMayIsTheCauseHoweverWellItsSiteIsKnown) {
  const size_t freed = program.add_name(NameKind::freed);
  train(30, [&](AccessRun &run, size_t i) {
    if (i < 25)
      program.meet(run, 5, a);
  });
  AccessRun run = normal();
  program.meet(run, 5, behind);
  program.meet(run, 0, freed);
  const Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 2u);
  EXPECT_LT(verdict.findings[0].confidence, verdict.findings[1].confidence);
  EXPECT_EQ(verdict.findings[0].lead().site, program.site(5).id);
  EXPECT_EQ(verdict.findings[0].rank, 1);
}

TEST_F(Judging, AFreedBlockIsNobodysWhoeverLivedThere) {
  const size_t freed = program.add_name(NameKind::freed);
  train(10);
  AccessRun run = normal();
  program.meet(run, 4, freed).previous = static_cast<uint32_t>(new_block);
  const Verdict dangling = judged(run);
  ASSERT_EQ(dangling.findings.size(), 1u);
  EXPECT_EQ(dangling.findings[0].lead().evidence, Evidence::outside);
  EXPECT_EQ(dangling.findings[0].lead().from, new_block);
  AccessRun over = normal();
  Met &met = program.meet(over, 4, freed);
  met.previous = static_cast<uint32_t>(new_block);
  met.before = static_cast<uint32_t>(b);
  const Verdict overrun = judged(over);
  ASSERT_EQ(overrun.findings.size(), 1u);
  EXPECT_EQ(overrun.findings[0].lead().evidence, Evidence::overrun)
      << "the freed block lies behind one that the site normally writes";
  EXPECT_EQ(overrun.findings[0].lead().from, b);
  met.previous = static_cast<uint32_t>(b);
  EXPECT_EQ(judged(over).findings[0].lead().evidence, Evidence::outside)
      << "of blocks of one kind there is always one in front";
}

TEST_F(Judging, AnOverrunIsFollowedBackToWhereItBegan) {
  train(12);
  AccessRun run = normal();
  program.meet(run, 0, b).before = static_cast<uint32_t>(a);
  program.meet(run, 0, never).before = static_cast<uint32_t>(b);
  const Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 1u);
  ASSERT_EQ(verdict.findings[0].members.size(), 2u);
  EXPECT_EQ(verdict.findings[0].lead().name, key_of(program.names[b])) << "the first it hit";
  for (const Outlier &member : verdict.findings[0].members) {
    EXPECT_EQ(member.evidence, Evidence::overrun);
    EXPECT_EQ(member.from, a);
  }
}

TEST_F(Judging, AStructureCopiedForTheFirstTimeIsNoOverrun) {
  const size_t first = program.add_name(NameKind::heap, "x");
  const size_t second = program.add_name(NameKind::heap, "y");
  train(30, [&](AccessRun &run, size_t) { program.meet(run, 5, a); });
  AccessRun run = normal();
  program.meet(run, 5, first);
  program.meet(run, 5, second).before = static_cast<uint32_t>(first);
  for (const Finding &note : judged(run).notes)
    for (const Outlier &member : note.members)
      EXPECT_EQ(member.evidence, Evidence::none);
}

TEST_F(Judging, ADanglingPointerIsKnownByWhoLivedThere) {
  train(30);
  AccessRun run = normal();
  program.meet(run, 4, new_block).previous = static_cast<uint32_t>(b);
  AccessRun other = normal();
  program.meet(other, 4, new_block);
  const Verdict with = judged(run);
  const Verdict without = judged(other);
  const auto outlier = [](const Verdict &verdict) {
    return (verdict.findings.empty() ? verdict.notes : verdict.findings).at(0).lead();
  };
  EXPECT_EQ(outlier(with).evidence, Evidence::dangling);
  EXPECT_EQ(outlier(with).from, b);
  EXPECT_EQ(outlier(without).evidence, Evidence::none);
  EXPECT_GT(outlier(with).confidence, outlier(without).confidence);
}

TEST_F(Judging, AcceptedPairsAreNormal) {
  train(30);
  AccessRun run = normal();
  program.meet(run, 0, b);
  program.meet(run, 0, never);
  Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 1u);
  const Acceptance accepted = accept(verdict, run, verdict.findings[0].id);
  EXPECT_EQ(accepted.pairs.size(), 2u);
  EXPECT_TRUE(accept(verdict, run, "access.0.0").pairs.empty());
  history.accepted = accepted.pairs;
  verdict = judged(run);
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_TRUE(verdict.notes.empty());
  EXPECT_EQ(verdict.accepted, 2u);
}

TEST_F(Judging, OneFunctionThatHitsOneObjectIsOneFinding) {
  const size_t x = program.add_name(NameKind::global, "x");
  Name second = program.names[x];
  second.member = "y";
  program.names.push_back(second);
  const size_t y = program.names.size() - 1;
  train(30, [&](AccessRun &run, size_t) {
    program.meet(run, 1, a); // sites 0 to 3 are one function
    program.meet(run, 4, x);
    program.meet(run, 4, y);
  });
  AccessRun run = normal();
  program.meet(run, 0, x);
  program.meet(run, 1, y);
  const Verdict verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].members.size(), 2u);
}

TEST_F(Judging, WithoutTrainingNothingIsJudged) {
  const Verdict verdict = judged(normal());
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_EQ(verdict.remarks.size(), 1u);
  AccessRun heap_only = program.start();
  heap_only.watched = false;
  train(3);
  EXPECT_TRUE(judged(heap_only).remarks.empty());
}

TEST_F(Judging, ReadsAreJudgedByRunsThatWatchedReads) {
  const size_t reader = program.add_site("r", false, true);
  const size_t other_reader = program.add_site("q", false, true);
  train(30);
  AccessRun run = normal();
  program.meet(run, reader, b);
  Verdict verdict = judged(run);
  EXPECT_TRUE(verdict.findings.empty());
  EXPECT_TRUE(verdict.notes.empty());
  EXPECT_EQ(verdict.remarks.size(), 1u);
  train(30, [&](AccessRun &trained, size_t) {
    program.meet(trained, reader, a);
    program.meet(trained, other_reader, b, 7);
  });
  verdict = judged(run);
  ASSERT_EQ(verdict.findings.size(), 1u);
  EXPECT_EQ(verdict.findings[0].lead().accesses, 30u * 7) << "of the readers";
  EXPECT_TRUE(verdict.remarks.empty());
}

TEST_F(Judging, ALesserDepthFoldsBlocks) {
  Name twin = program.names[b];
  twin.chain[3] = 1234;
  program.names.push_back(twin);
  const size_t other = program.names.size() - 1;
  train(30);
  AccessRun run = normal();
  program.meet(run, 4, other);
  EXPECT_EQ(judged(run).outliers, 1u);
  settings.call_chain = 3;
  EXPECT_EQ(judged(run).outliers, 0u);
}

TEST_F(Judging, TheFirstPeriodsTeachTheRest) {
  AccessRun run = program.start();
  run.periods = 30;
  std::vector<uint32_t> all(30);
  for (uint32_t i = 0; i < 30; ++i)
    all[i] = i;
  program.meet(run, 0, a, 300).periods = all;
  program.meet(run, 4, b, 600).periods = all;
  program.meet(run, 1, a).periods = {0}; // start-up
  program.meet(run, 0, b).periods = {25};
  const Verdict verdict = learn_then_judge(run, settings);
  ASSERT_EQ(verdict.findings.size() + verdict.notes.size(), 1u);
  const Finding &found = verdict.findings.empty() ? verdict.notes[0] : verdict.findings[0];
  EXPECT_EQ(found.lead().pair, 3u);
  EXPECT_EQ(found.lead().accesses, 600u / 30 * 12);
  EXPECT_EQ(verdict.runs, 12u);
  run.periods = 1;
  EXPECT_EQ(learn_then_judge(run, settings).remarks.size(), 1u);
}

TEST_F(Judging, EditedCodeIsCounted) {
  train(30);
  const size_t added = program.add_site("f0");
  AccessRun run = normal();
  program.meet(run, added, b);
  const Verdict verdict = judged(run);
  EXPECT_EQ(verdict.sites_known, 8u);
  EXPECT_EQ(verdict.sites_total, 9u);
  ASSERT_EQ(verdict.notes.size(), 1u);
  EXPECT_FALSE(verdict.notes[0].lead().site_in_program);
}

} // namespace
} // namespace culprit::access
