// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/snapshot.h"

#include "engine/explain/simulated.h"
#include "engine/explain/trace.h"

#include <cstring>
#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

template <typename Row> void append(std::string &bytes, const Row &row) {
  bytes.append(reinterpret_cast<const char *>(&row), sizeof row);
}

std::string whole() {
  std::string bytes;
  const uint64_t contents = sizeof(culprit_snapshot_header) + 2 * sizeof(culprit_snapshot_region);
  append(bytes, culprit_snapshot_header{CULPRIT_SNAPSHOT_MAGIC, CULPRIT_SNAPSHOT_VERSION, 7, 1, 2,
                                        contents + 16});
  append(bytes, culprit_snapshot_region{5, 0x1000, 12, CULPRIT_REGION_GLOBAL, 3, contents, 0});
  append(bytes, culprit_snapshot_region{6, 0x2000, 64, CULPRIT_REGION_NATIVE, 0, 0, 0});
  return bytes + "hello world!" + std::string(4, '\0');
}

TEST(Snapshot, RegionsAreFoundByIndexAndByAddress) {
  std::string bytes = whole();
  const auto snapshot = parse_snapshot(bytes);
  ASSERT_TRUE(snapshot) << snapshot.error().what;
  ASSERT_EQ(snapshot->regions().size(), 2U);
  EXPECT_EQ(snapshot->find(5)->bytes, "hello world!");
  EXPECT_FALSE(snapshot->find(6)->bytes);
  EXPECT_EQ(snapshot->find(7), nullptr);
  EXPECT_EQ(snapshot->place_of(0x100b), (Place{5, 11}));
  EXPECT_FALSE(snapshot->place_of(0x100c));
  EXPECT_FALSE(snapshot->place_of(0xfff));
  EXPECT_EQ(snapshot->place_of(0x2000), (Place{6, 0}));
}

TEST(Snapshot, AnObjectOfAPoolIsFoundBeforeTheMemoryThePoolHasItFrom) {
  Snapshot snapshot;
  snapshot.add({5, 0x1000, 16, CULPRIT_REGION_BLOCK, 0, std::string(16, 'x')});
  snapshot.add({6, 0x1000, 64, CULPRIT_REGION_NATIVE, 0});
  snapshot.add({7, 0x1020, 8, CULPRIT_REGION_BLOCK, 0, std::string(8, 'y')});
  EXPECT_EQ(snapshot.place_of(0x1008), (Place{5, 8}));
  EXPECT_EQ(snapshot.place_of(0x1010), (Place{6, 16}));
  EXPECT_EQ(snapshot.place_of(0x1020), (Place{7, 0}));
  EXPECT_EQ(snapshot.place_of(0x103f), (Place{6, 63}));
  EXPECT_FALSE(snapshot.place_of(0x1040));
}

TEST(Snapshot, TheEndOfABlockIsAPlaceOfItAndOfNoOtherThing) {
  Snapshot snapshot;
  snapshot.add(region(5, 0x1000, 16));
  snapshot.add(region(6, 0x2000, 16, CULPRIT_REGION_GLOBAL));
  snapshot.add(region(7, 0x3000, 16));
  snapshot.add(region(8, 0x3010, 16));
  EXPECT_EQ(snapshot.place_of(0x1010), (Place{5, 16}));
  EXPECT_EQ(snapshot.place_of(0x1011), std::nullopt);
  EXPECT_EQ(snapshot.place_of(0x2010), std::nullopt);
  EXPECT_EQ(snapshot.place_of(0x3010), (Place{8, 0})); // what begins there comes first
}

TEST(Snapshot, ACutOrForeignFileIsAnError) {
  const std::string bytes = whole();
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(parse_snapshot(std::string_view(bytes).substr(0, length))) << length;
  std::string foreign = bytes;
  foreign[0] = 'x';
  EXPECT_FALSE(parse_snapshot(foreign));
}

TEST(Snapshot, ContentsOutsideTheFileAreAnError) {
  std::string bytes = whole();
  const uint64_t far = bytes.size() - 4;
  std::memcpy(bytes.data() + sizeof(culprit_snapshot_header) +
                  offsetof(culprit_snapshot_region, bytes),
              &far, sizeof far);
  EXPECT_FALSE(parse_snapshot(bytes));
}

TEST(Trace, EndsWithTheFirstEventOfNoKind) {
  std::string bytes;
  append(bytes, culprit_trace_event{CULPRIT_TRACE_POINT, 0, 0, 2, 9, 0, 0});
  append(bytes, culprit_trace_event{CULPRIT_TRACE_READ, CULPRIT_REGION_LOCAL, 4, 0, 8, 0, 0x10});
  append(bytes, culprit_trace_event{});
  append(bytes, culprit_trace_event{CULPRIT_TRACE_POINT, 0, 0, 1, 9, 0, 0});
  const auto trace = parse_trace(bytes, 2);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->size(), 2U);
}

TEST(Trace, ASiteThatTheTablesDoNotHaveIsAnError) {
  std::string bytes;
  append(bytes, culprit_trace_event{CULPRIT_TRACE_POINT, 0, 0, 3, 9, 0, 0});
  EXPECT_FALSE(parse_trace(bytes, 2));
  bytes.clear();
  append(bytes, culprit_trace_event{9, 0, 0, 1, 9, 0, 0});
  EXPECT_FALSE(parse_trace(bytes, 2));
}

} // namespace
} // namespace culprit::explain
