// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See folder_lock.h.
#include "engine/model/folder_lock.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace culprit::model {
namespace {

// A transaction takes milliseconds.
constexpr std::chrono::seconds kLongest{10};
constexpr std::chrono::milliseconds kStep{2};

} // namespace

Result<FolderLock> FolderLock::of_file(const std::filesystem::path &path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  FolderLock lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.folder_ < 0)
    return lock;
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (::flock(lock.folder_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return lock;
    if (std::chrono::steady_clock::now() >= end)
      return fail(fmt::format("{}: another culprit is writing to it", path.string()),
                  "wait for it to end");
    std::this_thread::sleep_for(kStep);
  }
  return lock;
}

FolderLock::FolderLock(FolderLock &&other) noexcept : folder_(std::exchange(other.folder_, -1)) {}

FolderLock::~FolderLock() {
  if (folder_ >= 0)
    ::close(folder_);
}

} // namespace culprit::model
