// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/capture.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

constexpr size_t kChunk = 64UL * 1024;
constexpr int kChunksAtOnce = 16;

} // namespace

Capture::Capture(Descriptor read_end, uint64_t limit) : pipe_(std::move(read_end)), limit_(limit) {
  ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
}

bool Capture::read_once() {
  std::array<char, kChunk> buffer;
  ssize_t count = ::read(pipe_.get(), buffer.data(), buffer.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR))
    return errno == EINTR;
  if (count <= 0) {
    pipe_.close();
    return false;
  }
  uint64_t room = limit_ - std::min<uint64_t>(limit_, text.size());
  size_t kept = std::min<uint64_t>(room, static_cast<uint64_t>(count));
  text.append(buffer.data(), kept);
  discarded += static_cast<uint64_t>(count) - kept;
  return true;
}

void Capture::read_available() {
  for (int i = 0; i < kChunksAtOnce && pipe_.is_open(); ++i)
    if (!read_once())
      return;
}

void Capture::drain() {
  // A pipe holds at most 1 MiB unless privileged; the writer has ended, so that is what can be
  // left.
  read_available();
}

} // namespace culprit::launch
