// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/neighbourhood.h"

#include "engine/heap/blame_scene.h"

namespace culprit::heap {
namespace {

// Nodes usually have three pointers to them; ninety of a hundred have two.
Scene lost_back_links(uint32_t &context) {
  Scene scene;
  context = scene.context("insert");
  scene.objects(context, 2, 2, 90, kNone, kNone, kNone);
  scene.objects(context, 3, 2, 10, kNone, kNone, kNone);
  scene.usually(3, 2, 1);
  return scene;
}

TEST(Neighbourhood, ShowsOneOfTheOffendingKindAndOneAsTheyUsuallyAre) {
  uint32_t context = 0;
  Scene scene = lost_back_links(context);
  scene.example(context, 3, 2, {});
  scene.example(context, 2, 2,
                {{context, 3, 2, CULPRIT_LINK_IN | CULPRIT_LINK_OUT, 0},
                 {context, 1, 0, CULPRIT_LINK_OUT, 0},
                 {99, 7, 8, CULPRIT_LINK_IN, 0}});
  const Neighbourhoods found = scene.around(CULPRIT_METRIC_INDEGREE2, true, 0, 5);
  ASSERT_TRUE(found.offending);
  EXPECT_EQ(found.offending->vertex.in, 2u);
  EXPECT_EQ(found.offending->vertex.place.function, "make_node");
  EXPECT_EQ(found.offending->vertex.type, "struct node");
  ASSERT_EQ(found.offending->neighbours.size(), 3u);
  EXPECT_TRUE(found.offending->neighbours[0].points_here);
  EXPECT_TRUE(found.offending->neighbours[0].pointed_to);
  EXPECT_FALSE(found.offending->neighbours[1].points_here);
  EXPECT_TRUE(found.offending->neighbours[2].vertex.place.file.empty()); // code nobody knows
  EXPECT_EQ(found.offending->neighbours[2].vertex.out, 8u);
  ASSERT_TRUE(found.usual);
  EXPECT_EQ(found.usual->vertex.in, 3u);
}

TEST(Neighbourhood, ShowsNothingWhereNoneOfTheKindWasKept) {
  uint32_t context = 0;
  Scene scene = lost_back_links(context);
  EXPECT_FALSE(scene.around(CULPRIT_METRIC_INDEGREE2, true, 0, 5).offending);
  scene.example(context, 3, 2, {});
  const Neighbourhoods found = scene.around(CULPRIT_METRIC_INDEGREE2, true, 0, 5);
  EXPECT_FALSE(found.offending);
  EXPECT_FALSE(found.usual);
}

TEST(Neighbourhood, IsOfTheSiteWhoseObjectsMoved) {
  uint32_t context = 0;
  Scene scene = lost_back_links(context);
  scene.example(77, 2, 2, {}); // of a context nobody knows
  EXPECT_FALSE(scene.around(CULPRIT_METRIC_INDEGREE2, true, 0, 5).offending);
}

} // namespace
} // namespace culprit::heap
