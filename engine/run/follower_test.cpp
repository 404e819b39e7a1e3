// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/run/follower.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace culprit::run {
namespace {

// A run file that grows as the runtime lets it grow: room first, then the record, then the header.
class Growing {
public:
  Growing()
      : path_(std::filesystem::temp_directory_path() / ("follower." + std::to_string(::getpid()))) {
    head_.version = CULPRIT_RUN_VERSION;
    head_.header_size = sizeof head_;
    head_.byte_order = CULPRIT_RUN_BYTE_ORDER;
    head_.pid = 42;
    head_.reserved = head_.committed = sizeof head_;
  }
  ~Growing() { std::filesystem::remove(path_); }

  const std::filesystem::path &path() const { return path_; }

  void create() { std::ofstream(path_, std::ios::binary).write("", 0); }
  void begin() {
    head_.magic = CULPRIT_RUN_MAGIC;
    write_head();
  }
  void add_point(uint32_t index) {
    const size_t at = reserve();
    finish(at, index);
  }
  size_t reserve() {
    const size_t at = head_.reserved;
    head_.reserved += kSize;
    write_head();
    return at;
  }
  void finish(size_t at, uint32_t index) {
    struct {
      culprit_record record;
      culprit_record_point point;
    } whole{};
    static_assert(sizeof whole == kSize);
    whole.record.size = kSize;
    whole.record.kind = CULPRIT_RECORD_point;
    whole.record.thread = 7;
    whole.point.index = index;
    whole.record.commit = culprit_record_checksum(&whole.record, at);
    write(at, &whole, sizeof whole);
    head_.committed = head_.reserved;
    write_head();
  }
  void damage(size_t at) {
    const uint64_t other = ~0ULL;
    write(at + sizeof(culprit_record) + 16, &other, sizeof other);
  }
  size_t end() const { return head_.reserved; }

private:
  static constexpr size_t kSize = sizeof(culprit_record) + sizeof(culprit_record_point);

  void write_head() { write(0, &head_, sizeof head_); }
  void write(size_t at, const void *bytes, size_t size) {
    if (!std::filesystem::exists(path_))
      create();
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(static_cast<const char *>(bytes), static_cast<std::streamsize>(size));
  }

  std::filesystem::path path_;
  culprit_run_header head_{};
};

std::vector<uint32_t> looked(Follower &follower) {
  std::vector<uint32_t> indexes;
  auto records = follower.look();
  if (!records)
    return {~0U};
  for (const Record &record : *records)
    indexes.push_back(std::get<MetricPoint>(record.what).numbers.index);
  return indexes;
}

using Indexes = std::vector<uint32_t>;

TEST(Follower, HasNothingOfAFileThatIsNotThereOrNotBegun) {
  Growing file;
  Follower follower(file.path());
  EXPECT_EQ(looked(follower), Indexes());
  file.create();
  EXPECT_EQ(looked(follower), Indexes());
}

TEST(Follower, EachLookHasWhatIsNew) {
  Growing file;
  Follower follower(file.path());
  file.begin();
  EXPECT_EQ(looked(follower), Indexes());
  file.add_point(1);
  file.add_point(2);
  EXPECT_EQ(looked(follower), Indexes({1, 2}));
  EXPECT_EQ(looked(follower), Indexes());
  file.add_point(3);
  EXPECT_EQ(looked(follower), Indexes({3}));
}

TEST(Follower, ARecordThatIsBeingWrittenIsWaitedFor) {
  Growing file;
  Follower follower(file.path());
  file.begin();
  file.add_point(1);
  const size_t at = file.reserve();
  EXPECT_EQ(looked(follower), Indexes({1}));
  file.finish(at, 2);
  EXPECT_EQ(looked(follower), Indexes({2}));
}

TEST(Follower, DamageIsAnErrorAndStaysOne) {
  Growing file;
  Follower follower(file.path());
  file.begin();
  const size_t at = file.end();
  file.add_point(1);
  file.damage(at);
  EXPECT_EQ(looked(follower), Indexes({~0U}));
  EXPECT_EQ(looked(follower), Indexes({~0U}));
}

} // namespace
} // namespace culprit::run
