// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order those are named who touched the moved objects: whose code it is, how specific they
// are, who told them what to write.
#include "engine/heap/writers.h"

#include "engine/heap/blame_scene.h"

#include <algorithm>

namespace culprit::heap {
namespace {

TEST(Writers, CodeOfALibraryIsChargedToWhomItIsInlinedInto) {
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

TEST(Writers, LibraryFunctionsComeBehindEveryFunctionOfTheProgram) {
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

TEST(Writers, TheCallerThatMakesTheDifferenceComesFirst) {
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

TEST(Writers, ASpecificWriterIsFollowedByWhoDecidedNearestAndThenByOthersWithAShare) {
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
  EXPECT_EQ(blame.suspects[1].place.function, "find_place");
  EXPECT_EQ(blame.suspects[1].role, Role::feeds);
  EXPECT_EQ(blame.suspects[2].place.function, "forget_prev");
}

TEST(Writers, ACollectorThatPutsOnePointerInThePlaceOfAnotherIsNotWhoMadeItOneMore) {
  Scene scene;
  const uint32_t context = scene.context("put");
  const uint32_t put = scene.store("put", {"hash_key"});
  const uint32_t make = scene.store("make_node");
  const uint32_t sweep = scene.store("sweep");
  scene.usually(1, 1, 0.8);
  scene.usually(1, 2, 0.2);
  scene.usually_written(2, put, 0.9);
  scene.usually_written(2, sweep, 0.1); // later in this run than in those of training
  scene.usually_written(3, make, 0.8);
  scene.usually_written(3, put, 0.2);
  scene.objects(context, 1, 1, 100, put, kNone, sweep, make);
  scene.objects(context, 1, 2, 900, put, kNone, sweep, put);
  const Blame blame = scene.judge(CULPRIT_METRIC_OUTDEGREE1, false, 78, 82);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "put");
  EXPECT_EQ(blame.suspects[0].role, Role::wrote);
  EXPECT_TRUE(among_first_three(blame, "hash_key"));
}

TEST(Writers, WhoDecidesComesRightBehindAWriterOfAllAlikeNearestFirst) {
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

TEST(Writers, APlaceWithALineIsPreferred) {
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

TEST(Writers, FindingsThatLeadToTheSameCodeHaveOneCause) {
  EXPECT_TRUE(same_cause(naming({"insert", "load"}, 1), naming({"insert", "grow"}, 2)));
  EXPECT_TRUE(same_cause(naming({"insert", "load"}, 1), naming({"load", "insert"}, 1)));
  EXPECT_TRUE(same_cause(naming({"insert"}, 1), naming({"make"}, 1, false)));
  EXPECT_FALSE(same_cause(naming({"insert"}, 1), naming({"remove"}, 1)));
  EXPECT_FALSE(same_cause(naming({"insert"}, 1), naming({"make"}, 2, false)));
  EXPECT_FALSE(same_cause(naming({}, 1), naming({}, 1)));
}

TEST(Writers, AFunctionIsNamedOnce) {
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

TEST(Writers, HostileRowsAreNoMatter) {
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

TEST(Writers, OfWhatDecidesThatWhichCannotAllocateComesFirst) {
  Scene scene;
  const uint32_t context = scene.context("put");
  const uint32_t put = scene.store("put", {"format_key", "hash_key"});
  scene.add({50, SiteKind::call, "list.c", 70, 1, "format_key", "make_text", "", {}, false});
  scene.usually(1, 0, 0.7);
  scene.usually(1, 1, 0.3);
  scene.objects(context, 1, 0, 50, put, kNone, put);
  scene.objects(context, 1, 1, 950, put, kNone, put);
  const Blame blame = scene.judge(CULPRIT_METRIC_OUTDEGREE1, true, 28, 32);
  ASSERT_GE(blame.suspects.size(), 3U);
  EXPECT_EQ(blame.suspects[1].place.function, "hash_key");
  EXPECT_EQ(blame.suspects[2].place.function, "format_key");
}

TEST(Writers, WhereTheObjectsAreHungUpDecidesMoreThanWhatTheyAreFilledWithLast) {
  Scene scene;
  const uint32_t context = scene.context("put");
  const uint32_t link = scene.store("put", {"hash_key"});
  const uint32_t fill = scene.store("put", {"value_of"});
  scene.usually(1, 3, 0.7);
  scene.usually(1, 4, 0.3);
  scene.objects(context, 1, 3, 50, link, kNone, fill);
  scene.objects(context, 1, 4, 950, link, kNone, fill);
  const Blame blame = scene.judge_pointers(true, 3);
  ASSERT_GE(blame.suspects.size(), 3U);
  EXPECT_EQ(blame.suspects[0].place.function, "put");
  EXPECT_EQ(blame.suspects[0].role, Role::wrote);
  EXPECT_EQ(blame.suspects[1].place.function, "hash_key");
  ASSERT_EQ(blame.objects.size(), 1U);
  EXPECT_EQ(blame.objects[0].normally, "outdegree 3");
  EXPECT_EQ(blame.objects[0].now, "outdegree 4");
}

TEST(Writers, NodesThatLostAPointerAreFoundAmongTheirNames) {
  Scene scene;
  const uint32_t context = scene.context("put");
  const uint32_t put = scene.store("put");
  const uint32_t push = scene.store("push_front");
  scene.usually(1, 0, 0.5);
  scene.usually(1, 5, 0.5);
  scene.objects(context, 1, 0, 500, put, kNone, put); // of one allocation site: a name each
  scene.objects(context, 1, 5, 250, put, kNone, put);
  scene.objects(context, 1, 4, 250, push, kNone, push);
  const Blame blame = scene.judge_pointers(false, 5);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "push_front");
  EXPECT_EQ(blame.suspects[0].of, 250U);
  EXPECT_EQ(blame.objects[0].now, "outdegree 4");
}

} // namespace
} // namespace culprit::heap
