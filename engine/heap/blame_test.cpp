// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bugs of the paper's Figures 8 and 9, as the blame records of a re-execution show them: in
// each the guilty function is among the first three named.
#include "engine/heap/blame.h"

#include "engine/heap/blame_scene.h"

#include <algorithm>

namespace culprit::heap {
namespace {

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

TEST(Blame, LostBlocksWithoutPointersAreLeavesAsEverButMore) {
  // Nothing moved into the class: there are ten times as many of a site whose objects always were
  // in it. What tells is that nobody points to them any more.
  Scene scene;
  const uint32_t context = scene.context("affinity");
  const uint32_t keep = scene.store("keep");
  const uint32_t drop = scene.store("drop_table");
  scene.usually(1, 0, 1);
  scene.usual_share(0.1);
  scene.objects(context, 1, 0, 100, keep, kNone, kNone);
  scene.objects(context, 0, 0, 900, keep, drop, kNone);
  const Blame blame = scene.judge(CULPRIT_METRIC_LEAVES, true, 30, 40);
  ASSERT_FALSE(blame.suspects.empty());
  EXPECT_EQ(blame.suspects[0].place.function, "drop_table");
  EXPECT_EQ(blame.suspects[0].role, Role::unlinked);
  ASSERT_EQ(blame.objects.size(), 1u);
  EXPECT_EQ(blame.objects[0].moved, 900u);
  EXPECT_EQ(blame.objects[0].normally, "indegree 1");
  EXPECT_EQ(blame.objects[0].now, "indegree 0");
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

} // namespace
} // namespace culprit::heap
