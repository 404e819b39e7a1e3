// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/run/follower.h"

#include "engine/run/record_parser.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <unistd.h>

namespace culprit::run {

namespace {

constexpr size_t kMost = 16 << 20; // of one look; more than the largest record

// As many bytes as there are, up to `most`; none where the file cannot be read.
std::vector<std::byte> bytes_at(int file, uint64_t at, size_t most) {
  std::vector<std::byte> bytes(most);
  size_t have = 0;
  while (have < most) {
    const ssize_t read =
        ::pread(file, bytes.data() + have, most - have, static_cast<off_t>(at + have));
    if (read <= 0)
      break;
    have += static_cast<size_t>(read);
  }
  bytes.resize(have);
  return bytes;
}

// One whose magic is 0 has not begun. The writer does not wait for us: of two words that belong
// together one may be old, and then the next try finds both new.
Result<culprit_run_header> header_of(int file, const std::string &name) {
  constexpr int kTries = 3;
  for (int i = 1;; ++i) {
    const std::vector<std::byte> front = bytes_at(file, 0, sizeof(culprit_run_header));
    // The first eight bytes are written last: until then nothing has begun.
    constexpr std::array<std::byte, 8> kNothing{};
    if (front.size() < sizeof(culprit_run_header) ||
        std::equal(kNothing.begin(), kNothing.end(), front.begin()))
      return culprit_run_header{};
    auto head = parse_header(front, name);
    if (head || i == kTries)
      return head;
  }
}

} // namespace

Result<std::vector<Record>> Follower::look() {
  behind_ = false;
  std::vector<Record> records;
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return records;
  struct Closed {
    int file;
    ~Closed() { ::close(file); }
  } const closed{file};
  auto head = header_of(file, path_.string());
  if (!head)
    return std::unexpected(head.error());
  if (head->magic == 0)
    return records;
  if (at_ >= head->reserved)
    return records;
  const auto there = static_cast<size_t>(std::min<uint64_t>(head->reserved - at_, kMost));
  const std::vector<std::byte> bytes = bytes_at(file, at_, there);
  // What was committed was so before these bytes were read.
  for (size_t done = 0; done < bytes.size();) {
    auto parsed = parse_record(std::span(bytes).subspan(done), *head, at_, number_, path_.string());
    if (!parsed)
      return std::unexpected(parsed.error());
    auto *whole = std::get_if<ParsedRecord>(&*parsed);
    if (whole == nullptr)
      break;
    done += whole->size;
    at_ += whole->size;
    ++number_;
    records.push_back(std::move(whole->record));
  }
  behind_ = !records.empty() && at_ < head->reserved && there == kMost;
  return records;
}

} // namespace culprit::run
