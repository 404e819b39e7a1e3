// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bugs of the paper's Figures 8 and 9, as the blame records of a re-execution show them: in
// each the guilty function is among the first three named.
#include "engine/heap/blame.h"

#include "engine/heap/simulated.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace culprit::heap {
namespace {

using simulated::cell;

constexpr uint32_t kNone = ~0U;

// One allocation site in make_node, called by the functions given; store sites of any function.
class Scene {
public:
  Scene() {
    add({100, SiteKind::alloc, "list.c", 10, 1, "make_node", "malloc", "struct node", {}, false});
  }

  uint32_t add(Site site) {
    sites_.push_back(std::move(site));
    return static_cast<uint32_t>(sites_.size()); // numbers start at 1
  }
  uint32_t store(const std::string &function, std::vector<std::string> from = {}) {
    return add({1000 + sites_.size(), SiteKind::store, "list.c",
                static_cast<unsigned>(20 + sites_.size()), 3, function, "", "", std::move(from),
                false});
  }
  uint32_t context(const std::string &caller) {
    const uint32_t call = add({2000 + sites_.size(),
                               SiteKind::call,
                               "list.c",
                               static_cast<unsigned>(20 + sites_.size()),
                               5,
                               caller,
                               "make_node",
                               "",
                               {},
                               false});
    chains_.push_back(uint64_t{call} << 16 | 1);
    return static_cast<uint32_t>(chains_.size());
  }
  // So many objects of the context are in the cell, last touched by these sites.
  void objects(uint32_t context, unsigned in, unsigned out, uint64_t count, uint32_t linked,
               uint32_t unlinked, uint32_t wrote) {
    rows_.push_back({context, cell(in, out), linked, unlinked, wrote, 0, count});
  }
  // In training the store did this to so many of the objects.
  void usually_written(size_t role, uint32_t store, double share) {
    usual_writers_[role][sites_[store - 1].id] = share;
  }
  void usually(unsigned in, unsigned out, double share) { usual_[cell(in, out)] = share; }

  Blame judge(unsigned metric, bool high, double low_end, double high_end, bool writers = true) {
    auto tables = std::make_shared<SiteTables>();
    (*tables)[7] = sites_;
    run_ = {};
    run_.tables = tables;
    run_.numbers =
        SiteNumbers(*tables, std::vector<run::Unit>{{7, 1, static_cast<uint32_t>(sites_.size())}});
    run_.sites = {{100, &(*tables)[7][0]}};
    for (size_t i = 0; i < chains_.size(); ++i)
      run_.contexts[static_cast<uint32_t>(i + 1)] = {0, run_.numbers.chain(chains_[i])};
    Point point;
    point.index = 5;
    std::map<uint32_t, Cells> cells;
    for (const culprit_blame_row &row : rows_) {
      cells[row.context][row.cell] += row.count;
      point.cells[row.cell] += row.count;
    }
    for (const auto &[context, counts] : cells)
      run_.changes.push_back({0, context, counts});
    run_.points = {point};
    run_.blame = {{5, rows_}};
    HeapModel model;
    LearnedSite site;
    site.id = 100;
    site.runs = 10;
    site.share = 1;
    for (const auto &[number, share] : usual_)
      site.cells[number] = share;
    site.writers = usual_writers_;
    for (const auto &writers : usual_writers_)
      site.writer_runs += writers.empty() ? 0 : 1;
    model.sites[100] = site;
    Finding finding;
    finding.metric = &metrics()[metric];
    finding.high = high;
    finding.range = {low_end, high_end};
    finding.worst_index = 5;
    return blame(finding, run_, model, writers ? &run_ : nullptr);
  }

private:
  std::vector<Site> sites_;
  std::vector<uint64_t> chains_;
  std::vector<culprit_blame_row> rows_;
  std::map<unsigned, double> usual_;
  std::array<std::map<uint64_t, double>, kWriterRoles> usual_writers_;
  HeapRun run_;
};

testing::AssertionResult among_first_three(const Blame &blame, const std::string &function) {
  std::string named;
  for (size_t i = 0; i < blame.suspects.size(); ++i) {
    if (i < 3 && blame.suspects[i].place.function == function)
      return testing::AssertionSuccess();
    named += " " + blame.suspects[i].place.function;
  }
  return testing::AssertionFailure() << "named:" << named;
}

TEST(Blame, MissingPrevPointerInAListInsert) {
  Scene scene;
  const uint32_t context = scene.context("load");
  const uint32_t append = scene.store("append");
  const uint32_t insert = scene.store("insert_after");
  scene.usually(2, 2, 0.98);
  scene.usually(1, 1, 0.02);
  scene.objects(context, 2, 2, 900, append, kNone, append);
  scene.objects(context, 1, 1, 20, append, kNone, append);
  scene.objects(context, 1, 1, 300, insert, append, insert);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 1, 3);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "insert_after");
  EXPECT_EQ(blame.suspects[0].role, Role::linked);
  EXPECT_TRUE(blame.has_writers);
  ASSERT_EQ(blame.objects.size(), 1u);
  EXPECT_EQ(blame.objects[0].type, "struct node");
  EXPECT_EQ(blame.objects[0].normally, "indegree 2");
  EXPECT_EQ(blame.objects[0].now, "indegree 1");
  EXPECT_EQ(blame.objects[0].callers, (std::vector<std::string>{"make_node", "load"}));
  EXPECT_NEAR(static_cast<double>(blame.objects[0].moved), 296, 5);
}

TEST(Blame, AFunctionThatForgetsToLinkIsFoundByWhatItUsuallyDoes) {
  Scene scene;
  const uint32_t context = scene.context("load");
  const uint32_t bucket = scene.store("put");
  const uint32_t front = scene.store("push_front");
  scene.usually(3, 2, 1);
  scene.objects(context, 2, 2, 1000, bucket, kNone, bucket); // all of them: nothing to compare with
  EXPECT_FALSE(among_first_three(scene.judge(CULPRIT_METRIC_INDEGREE2, true, 0, 1), "push_front"));
  scene.usually_written(0, front, 1);
  scene.usually_written(2, bucket, 1);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE2, true, 0, 1);
  EXPECT_TRUE(among_first_three(blame, "push_front"));
  const auto found = std::ranges::find(blame.suspects, Role::absent, &Suspect::role);
  ASSERT_NE(found, blame.suspects.end());
  EXPECT_EQ(found->place.function, "push_front");
}

TEST(Blame, TheSameSeenAtTheLowEndOfIndegreeTwo) {
  Scene scene;
  const uint32_t context = scene.context("load");
  const uint32_t append = scene.store("append");
  const uint32_t insert = scene.store("insert_after");
  scene.usually(2, 2, 1);
  scene.objects(context, 2, 2, 900, append, kNone, append);
  scene.objects(context, 1, 1, 300, insert, kNone, insert);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE2, false, 97, 99);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "insert_after");
  EXPECT_EQ(blame.objects.at(0).now, "indegree 1");
}

TEST(Blame, TreeChildWithoutParentPointer) {
  // The parent lacks the pointers from its children; they were attached to it by graft().
  Scene scene;
  const uint32_t context = scene.context("build");
  const uint32_t insert = scene.store("insert");
  const uint32_t graft = scene.store("graft");
  scene.usually(3, 3, 0.5);
  scene.usually(1, 1, 0.5);
  scene.objects(context, 3, 3, 400, insert, kNone, insert);
  scene.objects(context, 1, 1, 400, insert, kNone, insert);
  scene.objects(context, 1, 2, 200, insert, kNone, graft);
  scene.objects(context, 1, 0, 200, graft, kNone, kNone);
  EXPECT_TRUE(among_first_three(scene.judge(CULPRIT_METRIC_INDEGREE1, true, 49, 51), "graft"));
}

TEST(Blame, TypoLeak) {
  Scene scene;
  const uint32_t context = scene.context("parse");
  const uint32_t parse = scene.store("parse");
  const uint32_t move = scene.store("move_descriptors");
  scene.usually(1, 0, 1);
  scene.objects(context, 1, 0, 500, parse, kNone, kNone);
  scene.objects(context, 0, 0, 300, parse, move, kNone);
  const Blame blame = scene.judge(CULPRIT_METRIC_ROOTS, true, 0, 1);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "move_descriptors");
  EXPECT_EQ(blame.suspects[0].role, Role::unlinked);
  EXPECT_NE(blame.suspects[0].text.find("lost their pointer here"), std::string::npos);
}

TEST(Blame, SharedStateDanglingPointerInACircularList) {
  Scene scene;
  const uint32_t context = scene.context("fill");
  const uint32_t fill = scene.store("fill");
  const uint32_t drop =
      scene.add({3000, SiteKind::free, "ring.c", 70, 1, "drop_head", "free", "", {}, false});
  scene.usually(2, 1, 1);
  scene.objects(context, 2, 1, 700, fill, kNone, fill);
  scene.objects(context, 1, 1, 150, fill, drop, fill);
  EXPECT_TRUE(
      among_first_three(scene.judge(CULPRIT_METRIC_INDEGREE2, false, 98, 100), "drop_head"));
}

TEST(Blame, OctTreeBecomesOctDag) {
  Scene scene;
  const uint32_t context = scene.context("subdivide");
  const uint32_t attach = scene.store("attach");
  const uint32_t share = scene.store("share_child");
  scene.usually(1, 3, 0.2);
  scene.usually(1, 0, 0.8);
  scene.objects(context, 1, 3, 200, attach, kNone, attach);
  scene.objects(context, 1, 0, 300, attach, kNone, kNone);
  scene.objects(context, 2, 0, 500, share, kNone, kNone);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, false, 97, 99);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "share_child");
}

TEST(Blame, APoorHashFunctionIsNamedBehindTheWriterItMisleads) {
  // All entries are written by the same store; the hash decides where.
  Scene scene;
  const uint32_t context = scene.context("table_insert");
  const uint32_t insert = scene.store("table_insert", {"make_node", "hash_string", "malloc"});
  scene.usually(1, 0, 0.7);
  scene.usually(1, 1, 0.3);
  scene.objects(context, 1, 0, 50, insert, kNone, insert);
  scene.objects(context, 1, 1, 950, insert, kNone, insert);
  const Blame blame = scene.judge(CULPRIT_METRIC_OUTDEGREE1, true, 28, 32);
  EXPECT_TRUE(among_first_three(blame, "hash_string"));
  EXPECT_TRUE(among_first_three(blame, "table_insert"));
  const auto hash = std::ranges::find(blame.suspects, "hash_string",
                                      [](const Suspect &s) { return s.place.function; });
  EXPECT_EQ(hash->role, Role::feeds);
}

TEST(Blame, AWrongComparisonMakesASingleChildTree) {
  Scene scene;
  const uint32_t context = scene.context("tree_insert");
  const uint32_t insert = scene.store("tree_insert", {"compare_keys"});
  scene.usually(1, 2, 0.4);
  scene.usually(1, 0, 0.5);
  scene.usually(1, 1, 0.1);
  scene.objects(context, 1, 1, 990, insert, kNone, insert);
  scene.objects(context, 1, 0, 10, insert, kNone, kNone);
  EXPECT_TRUE(
      among_first_three(scene.judge(CULPRIT_METRIC_OUTDEGREE1, true, 8, 12), "compare_keys"));
}

TEST(Blame, AnAtypicalGraphLeadsToWhoDecidesItsEdges) {
  Scene scene;
  const uint32_t context = scene.context("add_edge");
  const uint32_t edge = scene.store("add_edge", {"parse_distance"});
  scene.usually(1, 2, 0.9);
  scene.usually(1, 1, 0.1);
  scene.objects(context, 1, 1, 600, edge, kNone, edge);
  scene.objects(context, 1, 2, 400, edge, kNone, edge);
  const Blame blame = scene.judge(CULPRIT_METRIC_OUTDEGREE2, false, 88, 92);
  EXPECT_TRUE(among_first_three(blame, "parse_distance"));
}

TEST(Blame, WithoutWritersNamesCallersOfTheMovedObjectsAndAllocators) {
  Scene scene;
  const uint32_t good = scene.context("append");
  const uint32_t bad = scene.context("insert_after");
  scene.usually(2, 2, 1);
  scene.objects(good, 2, 2, 900, kNone, kNone, kNone);
  scene.objects(bad, 1, 1, 300, kNone, kNone, kNone);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1, false);
  EXPECT_FALSE(blame.has_writers);
  ASSERT_EQ(blame.suspects.size(), 2u);
  EXPECT_EQ(blame.suspects[0].place.function, "insert_after");
  EXPECT_EQ(blame.suspects[0].role, Role::caller);
  EXPECT_EQ(blame.suspects[1].place.function, "make_node");
  EXPECT_EQ(blame.suspects[1].role, Role::allocates);
}

TEST(Blame, ACallerOfAFewOfTheMovedObjectsIsNotNamed) {
  Scene scene;
  const uint32_t good = scene.context("append");
  const uint32_t bad = scene.context("rarely");
  scene.usually(2, 2, 1);
  scene.objects(good, 2, 2, 600, kNone, kNone, kNone);
  scene.objects(good, 1, 1, 300, kNone, kNone, kNone);
  scene.objects(bad, 1, 1, 30, kNone, kNone, kNone);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1, false);
  ASSERT_EQ(blame.suspects.size(), 2u);
  EXPECT_EQ(blame.suspects[0].place.function, "make_node");
  EXPECT_EQ(blame.suspects[1].place.function, "append"); // on whose behalf most were allocated
}

TEST(Blame, CodeOfALibraryIsChargedToWhomItIsInlinedInto) {
  Scene scene;
  const uint32_t context = scene.context("load");
  const auto inlined = [&](const std::string &caller) {
    Site site{4000,
              SiteKind::store,
              "/usr/include/c++/12/bits/list.h",
              99,
              1,
              "_ZNSt4listI4RoadE9push_backERKS0_",
              "",
              "",
              {},
              false,
              {{caller, "map.cpp", 31, 5}}};
    return scene.add(site);
  };
  const uint32_t good = inlined("append");
  const uint32_t bad = inlined("insert_after");
  scene.usually(2, 2, 1);
  scene.objects(context, 2, 2, 900, good, kNone, good);
  scene.objects(context, 1, 1, 300, bad, kNone, bad);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "insert_after");
  EXPECT_EQ(blame.suspects[0].place.file, "map.cpp");
  EXPECT_EQ(blame.suspects[0].place.line, 31u);
}

TEST(Blame, LibraryFunctionsComeBehindEveryFunctionOfTheProgram) {
  Scene scene;
  const uint32_t context = scene.context("load");
  const uint32_t load = scene.store("load");
  const uint32_t library = scene.store("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
  scene.usually(2, 2, 1);
  scene.objects(context, 2, 2, 900, load, kNone, load);
  scene.objects(context, 1, 1, 300, library, kNone, load);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1);
  ASSERT_GE(blame.suspects.size(), 2u);
  EXPECT_EQ(blame.suspects[0].place.function, "load");
  EXPECT_EQ(blame.suspects.back().place.function, "std::__detail::_List_node_base::_M_hook");
}

TEST(Blame, TheCallerThatMakesTheDifferenceComesFirst) {
  // free_column() frees for everyone, but only what shift() lets it free is still pointed to.
  Scene scene;
  const uint32_t context = scene.context("fill");
  const uint32_t fill = scene.store("fill");
  const auto freed = [&](const std::string &caller) {
    return scene.add({5000,
                      SiteKind::free,
                      "ring.c",
                      70,
                      1,
                      "free_column",
                      "free",
                      "",
                      {},
                      false,
                      {{caller, "ring.c", 90, 3}, {"main", "ring.c", 120, 3}}});
  };
  const uint32_t drop = freed("drop");
  const uint32_t shift = freed("shift");
  scene.usually(2, 1, 0.5);
  scene.usually(3, 1, 0.5);
  scene.objects(context, 2, 1, 300, fill, drop, fill);
  scene.objects(context, 3, 1, 300, fill, drop, fill);
  scene.objects(context, 1, 1, 300, fill, shift, fill);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1);
  ASSERT_GE(blame.suspects.size(), 2u);
  EXPECT_EQ(blame.suspects[0].place.function, "shift");
  EXPECT_EQ(blame.suspects[0].place.line, 90u);
  EXPECT_EQ(blame.suspects[1].place.function, "free_column");
  EXPECT_TRUE(std::ranges::none_of(blame.suspects,
                                   [](const Suspect &s) { return s.place.function == "main"; }));
}

TEST(Blame, ASpecificWriterIsFollowedByOthersWithAShareBeforeWhoDecided) {
  Scene scene;
  const uint32_t context = scene.context("load");
  const uint32_t append = scene.store("append");
  const uint32_t insert = scene.store("insert_after", {"find_place", "compare"});
  const uint32_t forget = scene.store("forget_prev");
  scene.usually(2, 2, 1);
  scene.objects(context, 2, 2, 900, append, kNone, append);
  scene.objects(context, 1, 1, 300, insert, forget, insert);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1);
  ASSERT_GE(blame.suspects.size(), 3u);
  EXPECT_EQ(blame.suspects[0].place.function, "insert_after");
  EXPECT_EQ(blame.suspects[1].place.function, "forget_prev");
  EXPECT_EQ(blame.suspects[2].role, Role::feeds);
}

TEST(Blame, WhoDecidesComesRightBehindAWriterOfAllAlikeNearestFirst) {
  Scene scene;
  const uint32_t context = scene.context("put");
  const uint32_t put = scene.store("put", {"slot_of", "hash_key", "third"});
  const uint32_t grow = scene.store("grow");
  scene.usually(1, 0, 0.7);
  scene.usually(1, 1, 0.3);
  scene.objects(context, 1, 0, 100, put, kNone, put);
  scene.objects(context, 1, 1, 800, put, kNone, put);
  scene.objects(context, 1, 0, 20, grow, kNone, grow);
  scene.objects(context, 1, 1, 100, grow, kNone, grow);
  const Blame blame = scene.judge(CULPRIT_METRIC_OUTDEGREE1, true, 28, 32);
  ASSERT_GE(blame.suspects.size(), 5u);
  EXPECT_EQ(blame.suspects[0].place.function, "put");
  EXPECT_EQ(blame.suspects[1].place.function, "slot_of");
  EXPECT_EQ(blame.suspects[2].place.function, "hash_key");
  EXPECT_EQ(blame.suspects[3].place.function, "make_node"); // who asked for the objects
  EXPECT_EQ(blame.suspects[4].place.function, "grow");
}

TEST(Blame, APlaceWithALineIsPreferred) {
  Scene scene;
  const uint32_t context = scene.context("load");
  const uint32_t append = scene.store("append");
  const uint32_t without =
      scene.add({6000, SiteKind::store, "list.c", 0, 0, "insert_after", "", "", {}, false});
  const uint32_t with = scene.store("insert_after");
  scene.usually(2, 2, 1);
  scene.objects(context, 2, 2, 900, append, kNone, append);
  scene.objects(context, 1, 1, 300, without, kNone, without);
  scene.objects(context, 1, 1, 10, with, kNone, with);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "insert_after");
  EXPECT_NE(blame.suspects[0].place.line, 0u);
}

Blame naming(std::vector<std::string> functions, uint64_t site, bool writers = true) {
  Blame blame;
  for (std::string &function : functions)
    blame.suspects.push_back({{"a.c", 1, 1, std::move(function)}, Role::linked, 1, 1, 1, {}});
  MovedObjects objects;
  objects.site = site;
  blame.objects = {objects};
  blame.has_writers = writers;
  return blame;
}

TEST(Blame, FindingsThatLeadToTheSameCodeHaveOneCause) {
  EXPECT_TRUE(same_cause(naming({"insert", "load"}, 1), naming({"insert", "grow"}, 2)));
  EXPECT_TRUE(same_cause(naming({"insert", "load"}, 1), naming({"load", "insert"}, 1)));
  EXPECT_TRUE(same_cause(naming({"insert"}, 1), naming({"make"}, 1, false)));
  EXPECT_FALSE(same_cause(naming({"insert"}, 1), naming({"remove"}, 1)));
  EXPECT_FALSE(same_cause(naming({"insert"}, 1), naming({"make"}, 2, false)));
  EXPECT_FALSE(same_cause(naming({}, 1), naming({}, 1)));
}

TEST(Blame, AFunctionIsNamedOnce) {
  Scene scene;
  const uint32_t context = scene.context("insert");
  const uint32_t first = scene.store("insert");
  const uint32_t second = scene.store("insert");
  scene.usually(2, 2, 1);
  scene.objects(context, 2, 2, 100, first, kNone, first);
  scene.objects(context, 1, 1, 100, second, first, second);
  const Blame blame = scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1);
  EXPECT_EQ(std::ranges::count_if(blame.suspects,
                                  [](const Suspect &s) { return s.place.function == "insert"; }),
            1);
}

TEST(Blame, HostileRowsAreNoMatter) {
  Scene scene;
  const uint32_t context = scene.context("insert");
  scene.usually(2, 2, 1);
  scene.objects(context, 1, 1, UINT64_MAX / 2, 0xfffffff0, 0, 12345678);
  scene.objects(context, 1, 1, UINT64_MAX / 2, 0xfffffff0, 0, 12345678);
  (void)scene.judge(CULPRIT_METRIC_INDEGREE1, true, 0, 1);
  Finding finding;
  finding.worst_point = 99;
  EXPECT_TRUE(blame(finding, {}, {}).suspects.empty());
}

TEST(Stacks, AreFoldedByFrequencyBeforeDuringAndAfter) {
  HeapRun run;
  Finding finding;
  finding.metric = find_metric("indegree1");
  finding.high = true;
  const auto add = [&](uint16_t when, std::vector<uint64_t> addresses, uint16_t metric, bool high) {
    run.stacks.push_back({1, metric, when, high, std::move(addresses)});
  };
  for (int i = 0; i < 9; ++i)
    add(CULPRIT_STACK_BEFORE, {1, 2, 3}, CULPRIT_METRIC_INDEGREE1, true);
  add(CULPRIT_STACK_BEFORE, {4, 3}, CULPRIT_METRIC_INDEGREE1, true);
  add(CULPRIT_STACK_CROSSED, {1, 2, 3}, CULPRIT_METRIC_INDEGREE1, true);
  add(CULPRIT_STACK_AFTER, {5, 3}, CULPRIT_METRIC_INDEGREE1, true);
  add(CULPRIT_STACK_BEFORE, {9}, CULPRIT_METRIC_LEAVES, false); // of another metric
  const std::vector<std::string> names = {"", "insert", "load", "main", "resize", "clear"};
  size_t asked = 0;
  const FoldedStacks folded = fold_stacks(run, finding, [&](uint64_t address) {
    ++asked;
    return std::vector<std::string>{names.at(address)};
  });
  EXPECT_EQ(asked, 5u);
  ASSERT_EQ(folded.before.size(), 2u);
  EXPECT_EQ(folded.before[0].frames, (std::vector<std::string>{"insert", "load", "main"}));
  EXPECT_DOUBLE_EQ(folded.before[0].share, 0.9);
  EXPECT_EQ(folded.during.size(), 1u);
  EXPECT_EQ(folded.after.size(), 1u);
  Blame blame;
  add_stack_suspects(blame, folded);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "insert");
  EXPECT_TRUE(std::ranges::none_of(blame.suspects,
                                   [](const Suspect &s) { return s.place.function == "main"; }));
}

} // namespace
} // namespace culprit::heap
