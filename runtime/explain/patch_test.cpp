// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/explain/patch.h"

#include "abi/explain.h"
#include "runtime/explain/flavour.h"
#include "runtime/explain/frames.h"
#include "runtime/explain/regions.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace culprit::explain {
namespace {

void add(std::string &patch, const culprit_patch_row &row, const std::string &bytes = {}) {
  patch.append(reinterpret_cast<const char *>(&row), sizeof row);
  patch += bytes;
  patch.resize((patch.size() + 7) / 8 * 8);
}

uint64_t number_of(const void *address) { return reinterpret_cast<uintptr_t>(address); }

// One call site that allocates, in no cycle.
const culprit_explained_site kSites[] = {{}, {77, 0, 0, CULPRIT_SITE_ALLOCATES}, {78, 0, 0, 0}};
const culprit_explain_unit kUnit = {1, kSites, 3, nullptr, nullptr, 0};
const culprit_explained_function kFunction = {5, sizeof(culprit_frame), 0, 0, 0, nullptr};

TEST(Patch, BytesPointersAndBlocksAreAsTheRowsSay) {
  begin(kUnit);
  char text[8] = "aaaaaaa";
  void *pointer = nullptr;
  std::string patch;
  add(patch, {CULPRIT_PATCH_ALLOCATE, 0, 0, 2, 4711, 24});
  add(patch, {CULPRIT_PATCH_BYTES, 3, 0, 0, number_of(text) + 2, 0}, "xyz");
  add(patch, {CULPRIT_PATCH_BYTES, 5, 1, 0, 8, 0}, "hello");
  add(patch, {CULPRIT_PATCH_POINTER, 0, 1, 1, 16, 8});
  add(patch, {CULPRIT_PATCH_POINTER, 0, 0, 1, number_of(&pointer), 4});
  ASSERT_TRUE(apply_patch(patch.data(), patch.size()));
  EXPECT_STREQ(text, "aaxyzaa");
  const char *block = static_cast<const char *>(pointer) - 4;
  EXPECT_STREQ(block + 8, "hello");
  EXPECT_EQ(std::memcmp(block, "\0\0\0\0\0\0\0\0", 8), 0);
  uint64_t inside = 0;
  std::memcpy(&inside, block + 16, sizeof inside);
  EXPECT_EQ(inside, number_of(block) + 8);
  const Region region = region_of(number_of(block) + 23);
  EXPECT_EQ(region.index, 4711U);
  EXPECT_EQ(region.size, 24U);
  EXPECT_EQ(region.kind, CULPRIT_REGION_BLOCK);
  EXPECT_EQ(region_of(number_of(block) + 24).kind, 0U);
}

TEST(Patch, ABlockMayBecomeAsLargeAsItsRoom) {
  begin(kUnit);
  culprit_frame frame{};
  enter(frame, kFunction);
  frame.site = 1;
  void *block = std::malloc(20);
  const Region before = region_of(number_of(block));
  ASSERT_GT(before.room, 20U);
  std::string patch;
  add(patch, {CULPRIT_PATCH_RESIZE, 0, 0, 0, number_of(block), before.room});
  ASSERT_TRUE(apply_patch(patch.data(), patch.size()));
  EXPECT_EQ(region_of(number_of(block)).size, before.room);
  EXPECT_EQ(region_of(number_of(block)).index, before.index);
  std::string more;
  add(more, {CULPRIT_PATCH_RESIZE, 0, 0, 0, number_of(block), before.room + 1});
  EXPECT_FALSE(apply_patch(more.data(), more.size()));
  std::free(block);
  t_frame = frame.caller;
}

TEST(Patch, ADamagedOneIsRefused) {
  begin(kUnit);
  char text[8] = "aaaaaaa";
  std::string patch;
  add(patch, {CULPRIT_PATCH_BYTES, 3, 0, 0, number_of(text), 0}, "xyz");
  for (size_t length = 1; length < patch.size(); ++length)
    EXPECT_FALSE(apply_patch(patch.data(), length)) << length;
  std::string unknown;
  add(unknown, {CULPRIT_PATCH_BYTES, 0, 1, 0, number_of(text), 0});
  EXPECT_FALSE(apply_patch(unknown.data(), unknown.size())) << "a block that was not allocated";
  std::string kind;
  add(kind, {99, 0, 0, 0, number_of(text), 0});
  EXPECT_FALSE(apply_patch(kind.data(), kind.size()));
}

// Of what the code of a frame does: the site is stored as the pass does it.
TEST(Regions, ABlockIsNamedByWhereItWasAllocated) {
  begin(kUnit);
  culprit_frame frame{};
  enter(frame, kFunction);
  const auto index_of = [&](uint32_t site, size_t size) {
    frame.site = site;
    frame.happened = 0;
    void *block = std::malloc(size);
    const Region region = region_of(number_of(block));
    EXPECT_EQ(region.size, size);
    EXPECT_EQ(region.kind, uint32_t{site == 1 ? CULPRIT_REGION_BLOCK : CULPRIT_REGION_NATIVE});
    std::free(block);
    EXPECT_EQ(region_of(number_of(block)).kind, 0U);
    return region.index;
  };
  EXPECT_EQ(index_of(1, 40), index_of(1, 40));
  EXPECT_EQ(index_of(1, 40), index_of(1, 4100)) << "whatever its size";
  EXPECT_NE(index_of(1, 40), index_of(2, 40));
  // Two at one site, as in a library function that allocates more than once.
  frame.site = 2;
  frame.happened = 0;
  void *first = std::malloc(16);
  void *second = std::malloc(16);
  EXPECT_NE(region_of(number_of(first)).index, region_of(number_of(second)).index);
  std::free(first);
  std::free(second);
  t_frame = frame.caller;
}

} // namespace
} // namespace culprit::explain
