// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is remembered of the writes to a block. (graph_test.cpp makes this binary a monitor flavour.)
#include "runtime/monitor/blame.h"

#include "runtime/monitor/hooks_for_tests.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace culprit::monitor {
namespace {

void store_by(uint32_t site, void *at, const void *value) {
  __culprit_blame_before(at, sizeof value, site);
  store(at, value);
  __culprit_blame_after(at, sizeof value, site);
}

const Blamed &blamed(const void *block) { return g_blamed[ref_of(heap::find_object(block))]; }

char *at(void *block, size_t offset) { return static_cast<char *>(block) + offset; }

// Sites are kept with one added.
constexpr uint32_t by(uint32_t site) { return site + 1; }

TEST(Blamed, OnlyWhoChangesHowManyPointersABlockHoldsChangedIt) {
  void *owner = __culprit_malloc(40);
  void *first = __culprit_malloc(40);
  void *second = __culprit_malloc(40);
  store_by(1, at(owner, 0), first);
  EXPECT_EQ(blamed(owner).changed, by(1));
  store_by(2, at(owner, 8), second);
  EXPECT_EQ(blamed(owner).changed, by(2));
  store_by(3, at(owner, 8), first); // one in the place of another
  EXPECT_EQ(blamed(owner).wrote, by(3));
  EXPECT_EQ(blamed(owner).changed, by(2));
  EXPECT_EQ(blamed(first).linked, by(3));
  EXPECT_EQ(blamed(second).unlinked, by(3));
  store_by(4, at(owner, 16), nullptr); // none in the place of none
  EXPECT_EQ(blamed(owner).changed, by(2));
  store_by(5, at(owner, 0), nullptr);
  EXPECT_EQ(blamed(owner).changed, by(5));
  free(owner);
  free(first);
  free(second);
}

TEST(Blamed, ABlockIsFreedByWhoSentItToFree) {
  void *target = __culprit_malloc(40);
  const auto free_owner = [&](auto announce) {
    void *owner = __culprit_malloc(40);
    store_by(1, owner, target);
    announce(owner);
    __culprit_blame_free(owner, 7); // in a wrapper
    free(owner);
    return blamed(target).unlinked;
  };
  EXPECT_EQ(free_owner([](void *) {}), by(7));
  EXPECT_EQ(free_owner([](void *owner) { __culprit_blame_freeing(owner, 8); }), by(8));
  EXPECT_EQ(free_owner([](void *) {}), by(7)); // it was for one block alone
  EXPECT_EQ(free_owner([&](void *) { __culprit_blame_freeing(target, 9); }), by(7));
  free(target);
}

} // namespace
} // namespace culprit::monitor
