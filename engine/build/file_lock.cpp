// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/file_lock.h"

#include "engine/launch/interrupt.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <thread>

namespace culprit::build {

namespace {

launch::Descriptor open_lock(const std::filesystem::path &path) {
  return launch::open_file(path.c_str(), O_RDWR | O_CREAT, 0644);
}

} // namespace

Result<FileLock> FileLock::acquire(const std::filesystem::path &path) {
  launch::Descriptor file = open_lock(path);
  if (!file.is_open())
    return fail(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  // Polled rather than blocked in the kernel, so that Ctrl-C is heard; another process makes a
  // flavour in seconds, against which 20 ms are nothing.
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return fail(fmt::format("{}: {}", path.string(), std::strerror(errno)));
    if (launch::interrupt_token().stop_requested())
      return fail("interrupted while waiting for another culprit to make the flavour");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return FileLock(std::move(file));
}

std::optional<FileLock> FileLock::try_acquire(const std::filesystem::path &path) {
  launch::Descriptor file = open_lock(path);
  if (!file.is_open() || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return std::nullopt;
  return FileLock(std::move(file));
}

} // namespace culprit::build
