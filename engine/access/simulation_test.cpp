// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often good runs are blamed, and whether bad ones are: imagined programs, trained on 30 runs.
#include "engine/access/simulated.h"

#include <gtest/gtest.h>

namespace culprit::access {
namespace {

using simulated::LongTail;
using simulated::Random;

constexpr size_t kTraining = 30;
constexpr size_t kHeldOut = 200;

struct Tally {
  size_t alarmed_runs = 0;
  size_t findings = 0;
  size_t notes = 0;
};

Tally held_out(const LongTail &program, const AccessModel &model, const AccessSettings &settings) {
  Tally tally;
  for (size_t i = 0; i < kHeldOut; ++i) {
    const AccessRun run = program.draw(1'000'000 + i);
    const Verdict verdict = judge(model, run, settings);
    tally.alarmed_runs += verdict.findings.empty() ? 0 : 1;
    tally.findings += verdict.findings.size();
    tally.notes += verdict.notes.size();
  }
  return tally;
}

// A site that always meets one name, and a name that every run accesses, which never meet.
std::pair<size_t, size_t> strangers(const LongTail &program, uint64_t seed) {
  Random random(seed);
  std::map<size_t, std::set<size_t>> met;
  for (const auto &feature : program.features)
    for (const auto &edge : feature.edges)
      met[edge.site].insert(edge.name);
  std::vector<size_t> sites;
  std::vector<size_t> names;
  for (const auto &feature : program.features)
    if (feature.probability == 1)
      for (const auto &edge : feature.edges)
        if (edge.probability == 1) {
          if (met[edge.site].size() == 1)
            sites.push_back(edge.site);
          names.push_back(edge.name);
        }
  for (;;) {
    const size_t site = sites[random.next() % sites.size()];
    const size_t name = names[random.next() % names.size()];
    if (!met[site].contains(name))
      return {site, name};
  }
}

TEST(Simulation, GoodRunsOfASettledProgramAreNotBlamedAndBadOnesAre) {
  const AccessSettings settings;
  size_t found = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const LongTail program(seed, 120, 0);
    const AccessModel model = learn(program.train(seed * 1000, kTraining), settings);
    EXPECT_EQ(held_out(program, model, settings).findings, 0u) << seed;
    const auto [site, name] = strangers(program, seed);
    AccessRun bad = program.draw(5'000'000 + seed);
    program.program.meet(bad, site, name);
    const Verdict verdict = judge(model, bad, settings);
    ASSERT_EQ(verdict.findings.size(), 1u) << seed;
    EXPECT_EQ(verdict.findings[0].lead().site, program.program.site(site).id);
    ++found;
  }
  EXPECT_EQ(found, 10u);
}

TEST(Simulation, AProgramThatStillSurprisesIsBlamedRarelyAndItsErrorsRankFirst) {
  const AccessSettings settings;
  Tally all;
  size_t found = 0;
  size_t first = 0;
  size_t proven = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const LongTail program(seed, 300, 0.3);
    const AccessModel model = learn(program.train(seed * 1000, kTraining), settings);
    const Tally tally = held_out(program, model, settings);
    all.alarmed_runs += tally.alarmed_runs;
    all.findings += tally.findings;
    all.notes += tally.notes;
    const auto [site, name] = strangers(program, seed);
    AccessRun bad = program.draw(5'000'000 + seed);
    program.program.meet(bad, site, name);
    const uint64_t id = program.program.site(site).id;
    const Verdict verdict = judge(model, bad, settings);
    found += !verdict.findings.empty() && verdict.findings[0].lead().site == id ? 1 : 0;
    const auto &most = verdict.findings.empty() ? verdict.notes : verdict.findings;
    first += most[0].lead().site == id || most[1].lead().site == id ? 1 : 0;
    // The same, running on from the object the site normally accesses.
    AccessRun overrun = program.draw(5'000'000 + seed);
    Met &met = program.program.meet(overrun, site, name);
    for (const Met &other : overrun.pairs)
      if (other.site->id == id && other.name != name)
        met.before = other.name;
    const Verdict second = judge(model, overrun, settings);
    proven += !second.findings.empty() && second.findings[0].lead().site == id ? 1 : 0;
  }
  RecordProperty("alarmed_runs", static_cast<int>(all.alarmed_runs));
  RecordProperty("found", static_cast<int>(found));
  // Two new pairs in every run, and yet one run in five hundred is blamed. The price: an error that
  // looks like any other new pair stays a note, though the first or second of them.
  EXPECT_GT(all.notes, 10 * kHeldOut);
  EXPECT_LE(all.alarmed_runs, 10 * kHeldOut / 200);
  EXPECT_GE(first, 9u);
  EXPECT_GE(proven, 4u);
}

} // namespace
} // namespace culprit::access
