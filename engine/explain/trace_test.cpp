// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/explain/trace.h"

#include "engine/launch/temporary.h"

#include <fstream>
#include <gtest/gtest.h>

namespace culprit::explain {
namespace {

TEST(Trace, StaysWhenItsFileIsRemovedAndWhenItIsCopied) {
  const auto folder = launch::TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  const std::filesystem::path file = folder->path() / "trace";
  constexpr uint64_t kCount = 5000; // more than is read instead of mapped
  {
    std::ofstream out(file, std::ios::binary);
    for (uint64_t i = 0; i < kCount; ++i) {
      const culprit_trace_event event{CULPRIT_TRACE_POINT, 0, 0, 1, i * 3, 0, 0};
      out.write(reinterpret_cast<const char *>(&event), sizeof event);
    }
    out.write("cut", 3);
  }
  Trace copy;
  {
    const auto trace = read_trace(file, 1);
    ASSERT_TRUE(trace) << trace.error().what;
    std::filesystem::remove(file);
    copy = *trace;
  }
  ASSERT_EQ(copy.size(), kCount);
  EXPECT_EQ(copy[kCount - 1].index, (kCount - 1) * 3);
  EXPECT_EQ(copy.rbegin()->index, (kCount - 1) * 3);
}

TEST(Trace, MayBeAsLongAsThereIsRoomForFour) {
  const auto space = std::filesystem::space("/");
  EXPECT_LE(most_events("/") * 4 * sizeof(culprit_trace_event),
            std::max<uintmax_t>(space.available * 2, 4 * sizeof(culprit_trace_event)));
  EXPECT_GE(most_events("/"), 1U);
}

} // namespace
} // namespace culprit::explain
