// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/at.h"

#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

TEST(At, APlaceIsAFileALineAndPerhapsANumber) {
  const auto plain = parse_at("src/a.c:12");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->file, "src/a.c");
  EXPECT_EQ(plain->line, 12U);
  EXPECT_EQ(plain->instance, 1U);
  EXPECT_EQ(parse_at("a.c:12#3")->instance, 3U);
  for (const char *wrong : {"", "a.c", ":12", "a.c:", "a.c:x", "a.c:0", "a.c:12#", "a.c:12#0",
                            "a.c:12#x", "a.c:-1", "#3"})
    EXPECT_FALSE(parse_at(wrong)) << wrong;
}

culprit_trace_event point(uint32_t site, uint64_t index) {
  return {CULPRIT_TRACE_POINT, 0, 0, site, index, 0, 0};
}

// for (…) body; the test (site 1) and the step (site 2) are on one line.
const Tables kTables = {.unit = 0,
                        .sites = {{.id = 1, .at = {"/src/a.c", 4, 3, "f"}},
                                  {.id = 2, .at = {"/src/a.c", 4, 9, "f"}},
                                  {.id = 3, .at = {"/src/a.c", 5, 3, "f"}}},
                        .names = {}};
const Trace kTrace = {point(1, 10), point(3, 11), point(2, 12), point(1, 13), point(3, 14)};

TEST(At, AnExecutionOfALineIsFound) {
  const Alignment alignment = align(kTrace, kTrace);
  EXPECT_EQ(find_pair(kTrace, kTables, alignment, {"a.c", 4, 1}), 0U);
  EXPECT_EQ(find_pair(kTrace, kTables, alignment, {"a.c", 4, 2}), 3U);
  EXPECT_EQ(find_pair(kTrace, kTables, alignment, {"src/a.c", 5, 2}), 4U);
  EXPECT_FALSE(find_pair(kTrace, kTables, alignment, {"a.c", 4, 3}));
  EXPECT_FALSE(find_pair(kTrace, kTables, alignment, {"a.c", 6, 1}));
  EXPECT_FALSE(find_pair(kTrace, kTables, alignment, {"b.c", 4, 1}));
  EXPECT_FALSE(find_pair(kTrace, kTables, alignment, {"c/a.c", 4, 1}));
}

TEST(At, APointThatOneRunDoesNotHaveIsAnError) {
  const Trace other = {point(1, 10), point(3, 11)};
  const Alignment alignment = align(kTrace, other);
  EXPECT_EQ(find_pair(kTrace, kTables, alignment, {"a.c", 5, 1}), 1U);
  const auto missing = find_pair(kTrace, kTables, alignment, {"a.c", 5, 2});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().what, "a.c:5#2: the other run does not come to that point");
}

} // namespace
} // namespace culprit::explain
