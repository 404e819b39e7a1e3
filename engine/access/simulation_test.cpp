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

// What a planted pair came to: a finding that ranks first, or at least first or second of all.
struct Planted {
  bool found = false;
  bool near_the_top = false;
};

Planted planted(const LongTail &program, const AccessModel &model, uint64_t seed, bool overrun) {
  const auto [site, name] = strangers(program, seed);
  const uint64_t id = program.program.site(site).id;
  AccessRun bad = program.draw(5'000'000 + seed);
  uint32_t normal = kNoName;
  for (const Met &met : bad.pairs)
    if (met.site->id == id)
      normal = met.name;
  Met &met = program.program.meet(bad, site, name);
  if (overrun)
    met.before = normal;
  const Verdict verdict = judge(model, bad, {});
  std::vector<uint64_t> all;
  for (const auto *list : {&verdict.findings, &verdict.notes})
    for (const Finding &finding : *list)
      all.push_back(finding.lead().site);
  return {!verdict.findings.empty() && all[0] == id,
          all[0] == id || (all.size() > 1 && all[1] == id)};
}

// A third of a new pair in every run: an error needs evidence to be told from those.
TEST(Simulation, AProgramThatSurprisesAtTimesIsBlamedRarelyAndOverrunsAreFound) {
  size_t alarmed = 0;
  size_t proven = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const LongTail program(seed, 200, 0.05);
    const AccessModel model = learn(program.train(seed * 1000, kTraining), {});
    alarmed += held_out(program, model, {}).alarmed_runs;
    proven += planted(program, model, seed, true).found ? 1 : 0;
  }
  EXPECT_LE(alarmed, 10 * kHeldOut / 100);
  EXPECT_GE(proven, 7u);
}

// Nearly two new pairs in every run: such an error is a note, but the first or second of all.
TEST(Simulation, AProgramThatAlwaysSurprisesIsNotBlamedAndItsErrorsRankFirst) {
  Tally all;
  size_t first = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const LongTail program(seed, 300, 0.3);
    const AccessModel model = learn(program.train(seed * 1000, kTraining), {});
    const Tally tally = held_out(program, model, {});
    all.alarmed_runs += tally.alarmed_runs;
    all.notes += tally.notes;
    first += planted(program, model, seed, false).near_the_top ? 1 : 0;
  }
  EXPECT_GT(all.notes, 10 * kHeldOut);
  EXPECT_EQ(all.alarmed_runs, 0u);
  EXPECT_GE(first, 9u);
}

} // namespace
} // namespace culprit::access
