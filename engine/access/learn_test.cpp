// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/simulated.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace culprit::access {
namespace {

using simulated::LongTail;
using simulated::Program;

TEST(Learning, CountsSetsAndWhoWasMetOnce) {
  Program program{2};
  const size_t a = program.add_name(NameKind::global);
  const size_t b = program.add_name(NameKind::global);
  History history;
  for (size_t i = 0; i < 3; ++i) {
    AccessRun run = program.start();
    program.meet(run, 0, a, 5);
    if (i > 0)
      program.meet(run, 1, a, 1);
    if (i == 2)
      program.meet(run, 1, b, 2);
    Summary summary = summarize(run);
    summary.run.arguments = std::to_string(i);
    add_run(history, summary);
  }
  const AccessModel model = learn(history, {});
  EXPECT_EQ(model.runs, 3u);
  const Acquaintance &name = model.names.at(key_of(program.names[a]));
  EXPECT_EQ(name.runs, 3u);
  EXPECT_EQ(name.size, 2u);
  EXPECT_EQ(name.once, 0u);
  EXPECT_EQ(name.accesses, 17u);
  const Acquaintance &site = model.sites.at(program.site(1).id);
  EXPECT_EQ(site.runs, 2u);
  EXPECT_EQ(site.size, 2u);
  EXPECT_EQ(site.once, 1u);
  EXPECT_EQ(model.sets.at(key_of(program.names[a])).size(), 2u);
}

TEST(Learning, SettlednessGrowsWithRunsAndFallsWithNewPartners) {
  EXPECT_LT(settledness({3, 1, 0, 0}), settledness({30, 1, 0, 0}));
  EXPECT_LT(settledness({30, 1, 1, 0}), settledness({30, 1, 0, 0}));
  EXPECT_LT(settledness({30, 5, 0, 0}), settledness({30, 1, 0, 0}));
  EXPECT_LT(settledness({0, 0, 0, 0}), settledness({2, 1, 0, 0}));
}

// The same number another way: learn from the others, judge the run that was left out.
TEST(Learning, LeavingOutEqualsLearningFromTheOthers) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const LongTail program(seed, 40, 0.5);
    const AccessSettings settings;
    const History history = program.train(seed * 100, 8);
    const AccessModel model = learn(history, settings);
    size_t number = 0;
    for (const auto &[key, pairs] : history.runs) {
      History others = history;
      others.runs.erase(key);
      const AccessModel rest = learn(others, settings);
      AccessRun run;
      for (uint64_t i = 0; i < 8; ++i)
        if (AccessRun drawn = program.draw(seed * 100 + i); pairs.arguments == std::to_string(i))
          run = std::move(drawn);
      double worst = 0;
      const Verdict verdict = judge(rest, run, settings);
      for (const auto *list : {&verdict.findings, &verdict.notes})
        for (const Finding &finding : *list)
          for (const Outlier &outlier : finding.members)
            worst = std::max(worst, outlier.surprise /
                                        rest.weights[static_cast<size_t>(outlier.evidence)] *
                                        model.weights[static_cast<size_t>(outlier.evidence)]);
      EXPECT_NEAR(model.left_out[number], worst, 1e-9 * worst) << seed << ' ' << number;
      ++number;
    }
  }
}

TEST(Learning, TheBarIsAboveWhatTrainingBrought) {
  const LongTail program(3, 100, 0.5);
  AccessSettings settings;
  const History history = program.train(1, 30);
  const AccessModel model = learn(history, settings);
  const double worst = *std::ranges::max_element(model.left_out);
  EXPECT_GT(worst, 0);
  EXPECT_GT(model.innocent, 0u);
  const double raised =
      settings.bar * (1 + settings.rate * static_cast<double>(model.innocent) / 30);
  EXPECT_DOUBLE_EQ(model.bar, std::max(raised, settings.margin * worst));
  settings.left_out_share = 1;
  EXPECT_DOUBLE_EQ(learn(history, settings).bar, raised);
  settings.rate = 0;
  EXPECT_DOUBLE_EQ(learn(history, settings).bar, settings.bar);
}

TEST(Learning, EvidenceThatInnocentRunsHaveIsNone) {
  const AccessSettings settings;
  const Weights before = weights_of(settings);
  EXPECT_EQ(weights_of(settings, {}), before);
  const Weights rare = weights_of(settings, {100, 0, 0, 0, 0});
  const Weights common = weights_of(settings, {50, 50, 0, 0, 0});
  const auto overrun = static_cast<size_t>(Evidence::overrun);
  EXPECT_GT(rare[overrun], before[overrun]);
  EXPECT_LT(common[overrun], 2);
  EXPECT_GE(common[overrun], 1);
  EXPECT_EQ(rare[0], 1);
}

TEST(Learning, ARunThatWroteAReturnAddressIsSuspicious) {
  Program program{2};
  const size_t slot = program.add_name(NameKind::return_slot);
  const size_t a = program.add_name(NameKind::global);
  History history;
  for (size_t i = 0; i < 10; ++i) {
    AccessRun run = program.start();
    program.meet(run, 0, a);
    if (i == 4)
      program.meet(run, 0, slot);
    Summary summary = summarize(run);
    summary.run.arguments = std::to_string(i);
    add_run(history, summary);
  }
  const AccessModel model = learn(history, {});
  ASSERT_EQ(model.suspicious.size(), 1u);
  EXPECT_EQ(history.runs.at(model.suspicious[0].run).arguments, "4");
}

// The pair is in the model, so no check would find it: train has to say so.
TEST(Learning, ARunWithAFindingByTheOthersIsOdd) {
  Program program{3};
  const size_t a = program.add_name(NameKind::global);
  const size_t b = program.add_name(NameKind::global);
  auto train = [&](size_t runs, size_t with_error) {
    History history;
    for (size_t i = 0; i < runs; ++i) {
      AccessRun run = program.start();
      program.meet(run, 0, a);
      program.meet(run, 1, b);
      if (i < with_error)
        program.meet(run, 1, a);
      Summary summary = summarize(run);
      summary.run.arguments = std::to_string(i);
      add_run(history, summary);
    }
    return history;
  };
  const History one = train(30, 1);
  const AccessModel model = learn(one, {});
  ASSERT_EQ(model.suspicious.size(), 1u);
  EXPECT_EQ(one.runs.at(model.suspicious[0].run).arguments, "0");
  EXPECT_EQ(model.suspicious[0].pair.first, program.site(1).id);
  EXPECT_TRUE(model.suspicious[0].only_odd); // one of thirty good runs may be like this
  EXPECT_TRUE(learn(train(30, 0), {}).suspicious.empty());
  EXPECT_TRUE(learn(train(30, 2), {}).suspicious.empty()); // the one bears the other out
  EXPECT_TRUE(learn(train(4, 1), {}).suspicious.empty());  // too few to know
  History accepted = one;
  accepted.accepted.emplace(model.suspicious[0].pair);
  EXPECT_TRUE(learn(accepted, {}).suspicious.empty());
}

// By the argument of exchangeability one run of a training may be odd, whatever the program.
TEST(Learning, HealthyRunsAreRarelyOddAndNeverSuspicious) {
  size_t odd = 0;
  size_t suspicious = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed)
    for (const double tail : {0.05, 0.5}) {
      const AccessModel model = learn(LongTail(seed, 20, tail).train(1, 30), {});
      for (const Suspicion &each : model.suspicious)
        ++(each.only_odd ? odd : suspicious);
    }
  EXPECT_LE(odd, 20u); // of 1200 runs in 40 trainings
  EXPECT_EQ(suspicious, 0u);
}

TEST(History, MergeIsAssociativeCommutativeAndIdempotent) {
  const LongTail program(5, 20, 0.5);
  std::vector<History> parts = {{}, program.train(1, 3), program.train(2, 3), program.train(9, 1)};
  parts[2].accepted = {{1, 2}, {3, 4}};
  parts[3].sites.begin()->second.line = 999; // moved by an edit
  parts[3].runs.begin()->second.status = "exit 1";
  parts[1].runs.begin()->second.pairs[0].count = 77; // the same pairs, counted otherwise
  for (const History &a : parts)
    for (const History &b : parts) {
      EXPECT_EQ(merge(a, b), merge(b, a));
      EXPECT_EQ(merge(a, a), a);
      for (const History &c : parts)
        EXPECT_EQ(merge(merge(a, b), c), merge(a, merge(b, c)));
    }
}

TEST(History, TheKeyIsWhatTheRunDidNotHowOften) {
  const LongTail program(5, 20, 0.5);
  const RunPairs run = summarize(program.draw(1)).run;
  std::set<std::string> keys = {content_key(run)};
  const auto changed = [&](auto change) {
    RunPairs other = run;
    change(other);
    return keys.insert(content_key(other)).second;
  };
  EXPECT_TRUE(changed([](RunPairs &r) { r.build_id = "x"; }));
  EXPECT_TRUE(changed([](RunPairs &r) { r.arguments = "x"; }));
  EXPECT_TRUE(changed([](RunPairs &r) { r.input = "x"; }));
  EXPECT_TRUE(changed([](RunPairs &r) { r.reads = true; }));
  EXPECT_TRUE(changed([](RunPairs &r) { r.pairs.pop_back(); }));
  EXPECT_FALSE(changed([](RunPairs &r) { r.pairs[0].count += 1; }));
  EXPECT_FALSE(changed([](RunPairs &r) { r.status = "exit 1"; }));
}

} // namespace
} // namespace culprit::access
