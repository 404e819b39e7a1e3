// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/access/clb.h"

#include "engine/access/simulated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>

namespace culprit::access {
namespace {

using simulated::Program;
using simulated::Random;

TEST(Bloom, FourIndexesOfFiveBitsFromBitTwoOn) {
  BloomVector vector;
  vector.add(uint64_t{0b11111'00010'00001'00000} << 2 | 3); // the lowest two bits say nothing
  EXPECT_EQ(vector.words[0], 1u << 0);
  EXPECT_EQ(vector.words[1], 1u << 1);
  EXPECT_EQ(vector.words[2], 1u << 2);
  EXPECT_EQ(vector.words[3], 1u << 31);
  EXPECT_TRUE(vector.has(uint64_t{0b11111'00010'00001'00000} << 2));
  EXPECT_TRUE(vector.has(uint64_t{1} << 40 | uint64_t{0b11111'00010'00001'00000} << 2))
      << "nor do those above bit 21";
  EXPECT_FALSE(vector.has(uint64_t{0b11111'00010'00001'00001} << 2));
}

TEST(Bloom, MembersPassAlwaysOthersSometimes) {
  Random random(1);
  BloomVector vector;
  std::set<uint64_t> members;
  for (int i = 0; i < 20; ++i)
    members.insert((random.next() & 0xfffff) << 2);
  for (const uint64_t pc : members)
    vector.add(pc);
  for (const uint64_t pc : members)
    EXPECT_TRUE(vector.has(pc));
  size_t passed = 0;
  for (uint64_t pc = 0; pc < 1 << 22; pc += 4)
    passed += vector.has(pc) && !members.contains(pc) ? 1 : 0;
  EXPECT_GT(passed, 0u);
  EXPECT_LT(passed, size_t{1} << 19);
}

TEST(Clb, TheLeastRecentlyUsedEntryGoes) {
  Clb clb(2);
  BloomVector set;
  set.add(4);
  clb.insert(100, 110, 1, set);
  clb.insert(200, 210, 2, set);
  EXPECT_EQ(clb.look(105, 4), Clb::Answer::filtered); // now the youngest
  clb.insert(300, 310, 3, set);
  EXPECT_EQ(clb.look(205, 4), Clb::Answer::miss);
  EXPECT_EQ(clb.look(109, 4), Clb::Answer::filtered);
  EXPECT_EQ(clb.look(110, 4), Clb::Answer::miss) << "behind its end";
  EXPECT_EQ(clb.look(100, 8), Clb::Answer::refused);
  EXPECT_EQ(clb.size(), 2u);
}

TEST(Clb, AnotherObjectAtThePlaceIsAnotherEntry) {
  Clb clb(4);
  BloomVector set;
  set.add(4);
  clb.insert(100, 110, 1, set);
  clb.lives(100, 110, 1);
  EXPECT_EQ(clb.look(100, 4), Clb::Answer::filtered);
  clb.lives(100, 110, 2);
  EXPECT_EQ(clb.look(100, 4), Clb::Answer::miss);
  Clb none(0);
  none.insert(100, 110, 1, set);
  EXPECT_EQ(none.look(100, 4), Clb::Answer::miss);
}

// The whole simulation again, from its description, with lists of program counters.
ClbColumn brute_force(std::span<const culprit_event> events, const Program &program,
                      const std::set<std::pair<size_t, size_t>> &known, size_t entries,
                      bool reads) {
  struct Entry {
    uint64_t start, end;
    size_t name;
  };
  std::list<Entry> table;
  ClbColumn column{entries, reads, 0, 0, 0};
  const auto part = [](size_t site, int i) { return site >> (5 * i) & 31; };
  for (const culprit_event &event : events) {
    const size_t site = event.row;
    const size_t name = event.name - 1;
    if (program.site(site).read && !reads)
      continue;
    ++column.before;
    table.remove_if([&](const Entry &entry) {
      return entry.start < event.end && event.start < entry.end &&
             (entry.start != event.start || entry.name != name);
    });
    const auto entry = std::ranges::find_if(table, [&](const Entry &one) {
      return event.address >= one.start && event.address < one.end;
    });
    bool passes = entry != table.end();
    for (int i = 0; passes && i < 4; ++i) {
      bool any = false;
      for (const auto &[member, object] : known)
        any = any || (object == name && (reads || !program.site(member).read) &&
                      part(member, i) == part(site, i));
      passes = any;
    }
    if (passes) {
      table.splice(table.begin(), table, entry);
      column.false_positives += known.contains({site, name}) ? 0 : 1;
      continue;
    }
    ++column.after;
    if (!known.contains({site, name}) || entries == 0)
      continue;
    if (entry != table.end())
      table.erase(entry);
    else if (table.size() == entries)
      table.pop_back();
    table.push_front({event.start, event.end, name});
  }
  return column;
}

TEST(Clb, CountsLikeItsDescription) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Random random(seed);
    Program program;
    for (size_t i = 0; i < 70; ++i)
      program.add_site("f", false, i % 3 == 0);
    for (size_t i = 0; i < 40; ++i)
      program.add_name(NameKind::heap);
    std::set<std::pair<size_t, size_t>> known;
    History history;
    AccessRun trained = program.start();
    trained.reads = true;
    for (size_t i = 0; i < 400; ++i)
      if (const std::pair pair(random.next() % 70, random.next() % 40); known.insert(pair).second)
        program.meet(trained, pair.first, pair.second);
    add_run(history, summarize(trained));
    const AccessSettings settings;
    const AccessModel model = learn(history, settings);
    std::vector<culprit_event> events;
    std::vector<std::pair<size_t, size_t>> listed(known.begin(), known.end());
    size_t around = 0;
    for (size_t i = 0; i < 4000; ++i) {
      // Mostly known pairs near one another in time; blocks move now and then.
      around = random.next() % 16 == 0 ? random.next() % listed.size() : around;
      auto [site, name] = listed[(around + random.next() % 12) % listed.size()];
      if (random.next() % 50 == 0)
        site = random.next() % 70;
      const uint64_t start = 0x1000 + 64 * ((name + i / 1000) % 40);
      events.push_back({static_cast<uint32_t>(site), static_cast<uint32_t>(name + 1),
                        start + random.next() % 64, start, start + 64});
    }
    const ClbReport report = measure_clb(events, trained, model, settings);
    EXPECT_EQ(report.events, 4000u);
    EXPECT_FALSE(report.reads_from_run);
    ASSERT_EQ(report.columns.size(), 10u);
    for (const ClbColumn &column : report.columns) {
      const ClbColumn other = brute_force(events, program, known, column.entries, column.reads);
      EXPECT_EQ(column.before, other.before) << column.entries;
      EXPECT_EQ(column.after, other.after) << column.entries;
      EXPECT_EQ(column.false_positives, other.false_positives) << column.entries;
    }
    EXPECT_EQ(report.columns[0].hit_ratio(), 0);
    EXPECT_GT(report.columns[2].hit_ratio(), report.columns[1].hit_ratio());
    EXPECT_GT(report.read_alarms_before_pruning, report.alarms_before_pruning);
  }
}

TEST(Clb, PruningLeavesOutDirectSites) {
  Program program;
  program.add_site("f");
  program.add_site("g", true);
  const size_t name = program.add_name(NameKind::global);
  AccessRun trained = program.start();
  program.meet(trained, 0, program.add_name(NameKind::global));
  trained = program.start();
  program.meet(trained, 0, 1);
  History history;
  add_run(history, summarize(trained));
  const std::vector<culprit_event> events = {
      {0, static_cast<uint32_t>(name + 1), 16, 16, 32},
      {1, static_cast<uint32_t>(name + 1), 16, 16, 32},
      {0, 0, 16, 16, 32},  // memory without a name
      {99, 1, 16, 16, 32}, // no such row
  };
  const ClbReport report = measure_clb(events, trained, learn(history, {}), {});
  EXPECT_EQ(report.alarms_before_pruning, 2u);
  EXPECT_EQ(report.alarms_after_pruning, 1u);
  EXPECT_EQ(report.unmonitored, 2u);
  EXPECT_TRUE(report.reads_from_run);
}

TEST(Clb, AFileThatIsNotThereIsAnError) {
  EXPECT_FALSE(measure_clb(std::filesystem::path("/nonexistent/events"), {}, {}, {}));
}

} // namespace
} // namespace culprit::access
