// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/series.h"

#include <gtest/gtest.h>

namespace culprit::heap {
namespace {

constexpr std::string_view kTable = R"({"sites": [
  {"id": "00000000000000a1", "kind": "alloc", "file": "x.c", "line": 3, "column": 5,
   "function": "xmalloc", "callee": "malloc", "wrapper": true},
  {"id": "00000000000000a2", "kind": "call", "file": "x.c", "line": 9, "column": 7,
   "function": "make_node", "callee": "xmalloc", "type": "struct node"},
  {"id": "00000000000000a3", "kind": "call", "function": "main", "callee": "make_node"},
  {"id": "00000000000000a4", "kind": "store", "function": "_ZN4List4pushEi", "from": ["hash", "cmp"],
   "at": [{"function": "load", "file": "y.c", "line": 8, "column": 2}]}
]})";

TEST(Sites, AreReadInOrder) {
  const auto sites = parse_sites(kTable);
  ASSERT_TRUE(sites) << sites.error().what;
  ASSERT_EQ(sites->size(), 4u);
  EXPECT_EQ((*sites)[0].id, 0xa1u);
  EXPECT_TRUE((*sites)[0].wrapper);
  EXPECT_EQ((*sites)[1].type, "struct node");
  EXPECT_EQ((*sites)[2].line, 0u);
  EXPECT_EQ((*sites)[3].kind, SiteKind::store);
  EXPECT_EQ((*sites)[3].from, (std::vector<std::string>{"hash", "cmp"}));
  ASSERT_EQ((*sites)[3].at.size(), 1u);
  EXPECT_EQ((*sites)[3].at[0].function, "load");
  EXPECT_EQ((*sites)[3].at[0].line, 8u);
  EXPECT_EQ(display_function((*sites)[3].function), "List::push(int)");
  EXPECT_EQ(short_function((*sites)[3].function), "List::push");
  EXPECT_EQ(short_function("main"), "main");
}

TEST(Sites, DamagedTablesAreRefused) {
  for (const char *text :
       {"", "[]", "{}", R"({"sites": 5})", R"({"sites": [5]})", R"({"sites": [{}]})",
        R"({"sites": [{"id": "a1"}]})", R"({"sites": [{"id": "00000000000000a1", "line": -3}]})",
        R"({"sites": [{"id": "00000000000000a1", "line": 99999999999}]})",
        R"({"sites": [{"id": "00000000000000a1", "from": "x"}]})",
        R"({"sites": [{"id": "00000000000000a1", "wrapper": 1}]})",
        R"({"sites": [{"id": "00000000000000a1", "at": "x"}]})",
        R"({"sites": [{"id": "00000000000000a1", "at": [{"line": -1}]}]})",
        R"({"sites": [{"id": "zz000000000000a1"}]})"})
    EXPECT_FALSE(parse_sites(text)) << text;
  EXPECT_FALSE(read_sites_bytes("not an ELF file", "x"));
  EXPECT_FALSE(read_sites("/nonexistent/flavour"));
}

SharedSites tables() {
  auto made = std::make_shared<SiteTables>();
  (*made)[0x77] = *parse_sites(kTable);
  return made;
}

TEST(Sites, NumbersLeadToSitesThroughTheBases) {
  const SharedSites all = tables();
  const SiteNumbers numbers(*all, std::vector<run::Unit>{{0x77, 10, 4}, {0x99, 100, 5}});
  EXPECT_EQ(numbers.at(9), nullptr);
  EXPECT_EQ(numbers.at(10)->id, 0xa1u);
  EXPECT_EQ(numbers.at(13)->id, 0xa4u);
  EXPECT_EQ(numbers.at(14), nullptr);
  EXPECT_EQ(numbers.at(100), nullptr); // no table of that unit
  // Newest lowest.
  const auto chain = numbers.chain(uint64_t{12} << 32 | 11 << 16 | 10);
  ASSERT_EQ(chain.size(), 3u);
  EXPECT_EQ(chain[0]->function, "xmalloc");
  EXPECT_EQ(chain[2]->function, "main");
  EXPECT_TRUE(numbers.chain(0).empty());
  // A table of another build has other numbers.
  EXPECT_EQ(SiteNumbers(*all, std::vector<run::Unit>{{0x77, 10, 5}}).at(10), nullptr);
}

TEST(Sites, ABlockIsNamedAfterTheFirstSiteThatIsNoWrapper) {
  const SharedSites all = tables();
  const SiteNumbers numbers(*all, std::vector<run::Unit>{{0x77, 1, 4}});
  EXPECT_EQ(allocation_site(numbers.chain(0x00030002'0001))->id, 0xa2u);
  EXPECT_EQ(allocation_site(numbers.chain(0x1))->id, 0xa1u) << "nothing but wrappers";
  EXPECT_EQ(allocation_site(numbers.chain(0xffff)), nullptr);
  EXPECT_EQ(allocation_site({}), nullptr);
}

run::Record record(decltype(run::Record::what) what) { return {0, 1, std::move(what)}; }

run::MetricPoint point(uint32_t index, uint64_t work, uint64_t objects) {
  culprit_record_point raw{};
  raw.index = index;
  raw.work = work;
  raw.live_objects = objects;
  raw.cells[4] = objects;
  return {raw};
}

culprit_context_cells cells(uint32_t context, uint32_t count) {
  culprit_context_cells row{};
  row.context = context;
  row.cells[4] = count;
  return row;
}

TEST(Series, FollowsTheObjectsOfEachSite) {
  run::RunFile file;
  file.records = {record(run::Unit{0x77, 1, 4}),
                  record(run::Context{1, 0x30002'0001}),
                  record(run::Context{2, 0x2'0001}),
                  record(run::Context{3, 0}),
                  record(run::PointContexts{1, {cells(1, 5), cells(3, 1)}}),
                  record(point(1, 10, 6)),
                  record(point(2, 20, 9)),
                  record(run::PointContexts{2, {cells(2, 3)}}),
                  record(point(3, 30, 4)),
                  record(run::PointContexts{3, {cells(1, 0)}}),
                  record(run::PointContexts{4, {cells(1, 77)}})}; // its point was never written
  const auto run = heap_run(file, tables());
  ASSERT_TRUE(run) << run.error().what;
  ASSERT_EQ(run->points.size(), 3u);
  ASSERT_EQ(run->sites.size(), 2u); // contexts 1 and 2 are of one site
  EXPECT_EQ(run->sites[0].id, 0u);
  EXPECT_EQ(run->sites[1].id, 0xa2u);
  SiteReplay replay(*run);
  const std::vector<std::pair<uint64_t, uint64_t>> expected = {{1, 5}, {1, 8}, {1, 3}};
  for (size_t i = 0; i < 3; ++i) {
    replay.to(i);
    EXPECT_EQ(total(replay.sites()[0]), expected[i].first);
    EXPECT_EQ(total(replay.sites()[1]), expected[i].second);
    EXPECT_EQ(total(run->points[i].cells), total(replay.sites()[0]) + total(replay.sites()[1]));
  }
}

TEST(Series, PointsComeInTheirOrderAndOnlyOnce) {
  run::RunFile file;
  file.records = {record(point(2, 20, 9)), record(point(1, 30, 6))};
  const auto run = heap_run(file, nullptr);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->points[0].index, 1u);
  EXPECT_EQ(run->points[1].work, 30u) << "time does not go back";
  file.records.push_back(record(point(2, 40, 9)));
  EXPECT_FALSE(heap_run(file, nullptr));
}

TEST(Series, BlameRowsOfOnePointAreOneTable) {
  run::RunFile file;
  file.records = {record(run::Blame{3, {{}, {}}}), record(run::Blame{3, {{}}})};
  const auto run = heap_run(file, nullptr);
  ASSERT_EQ(run->blame.size(), 1u);
  EXPECT_EQ(run->blame[0].rows.size(), 3u);
}

} // namespace
} // namespace culprit::heap
