// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/copy_tree.h"

#include "engine/launch/descriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> cannot_copy(const fs::path &path) {
  return fail(
      fmt::format("cannot make a private copy of '{}': {}", path.string(), std::strerror(errno)));
}

bool copy_bytes(int from, int to) {
  if (::ioctl(to, FICLONE, from) == 0)
    return true;
  constexpr size_t kAtOnce = 1UL << 30;
  ssize_t count;
  while ((count = ::copy_file_range(from, nullptr, to, nullptr, kAtOnce, 0)) > 0)
    ;
  if (count == 0)
    return true;
  if (errno != EXDEV && errno != EINVAL && errno != EOPNOTSUPP && errno != ENOSYS)
    return false;
  while ((count = ::sendfile(to, from, nullptr, kAtOnce)) > 0)
    ;
  return count == 0;
}

void copy_attributes(const fs::path &to, const struct stat &status) {
  [[maybe_unused]] int owned = ::lchown(to.c_str(), status.st_uid, status.st_gid);
  if (!S_ISLNK(status.st_mode))
    ::chmod(to.c_str(), status.st_mode & 07777);
  timespec times[2] = {status.st_atim, status.st_mtim};
  ::utimensat(AT_FDCWD, to.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

Result<void> copy_regular(const fs::path &from, const fs::path &to) {
  Descriptor source = open_file(from.c_str(), O_RDONLY | O_NOFOLLOW);
  if (!source.is_open())
    return cannot_copy(from);
  Descriptor target = open_file(to.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!target.is_open() || !copy_bytes(source.get(), target.get()))
    return cannot_copy(from);
  return {};
}

Result<void> copy_entry(const fs::path &from, const fs::path &to, const fs::path &leave_out,
                        dev_t device) {
  struct stat status;
  if (::lstat(from.c_str(), &status) != 0)
    return cannot_copy(from);
  std::error_code error;
  if (S_ISDIR(status.st_mode)) {
    if (::mkdir(to.c_str(), 0700) != 0)
      return cannot_copy(from);
    if (status.st_dev == device) {
      for (fs::directory_iterator entry(from, error), end; !error && entry != end;
           entry.increment(error))
        if (entry->path() != leave_out)
          if (Result<void> copied =
                  copy_entry(entry->path(), to / entry->path().filename(), leave_out, device);
              !copied)
            return copied;
      if (error)
        return fail(
            fmt::format("cannot make a private copy of '{}': {}", from.string(), error.message()));
    }
  } else if (S_ISLNK(status.st_mode)) {
    fs::copy_symlink(from, to, error);
  } else if (S_ISREG(status.st_mode)) {
    if (Result<void> copied = copy_regular(from, to); !copied)
      return copied;
  } else if (S_ISFIFO(status.st_mode)) {
    ::mkfifo(to.c_str(), 0600);
  } else {
    return {};
  }
  copy_attributes(to, status); // last: filling a directory changes its time
  return {};
}

} // namespace

uint64_t tree_bytes(const fs::path &from, uint64_t limit) {
  uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator
           entry(from, fs::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end && bytes <= limit; entry.increment(error)) {
    struct stat status;
    if (::lstat(entry->path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
      bytes += static_cast<uint64_t>(status.st_size);
  }
  return bytes;
}

Result<void> copy_tree(const fs::path &from, const fs::path &to, const fs::path &leave_out) {
  struct stat status;
  if (::stat(from.c_str(), &status) != 0)
    return cannot_copy(from);
  return copy_entry(from, to, leave_out, status.st_dev);
}

uint64_t tree_state(const fs::path &tree) {
  constexpr uint64_t kPrime = 0x100000001b3;
  uint64_t state = 0;
  const auto add = [&](const fs::path &path) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0)
      return;
    uint64_t one = std::hash<std::string>()(path.string());
    for (const auto part :
         {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
          status.st_ctim.tv_nsec, static_cast<off_t>(status.st_mode)})
      one = (one ^ static_cast<uint64_t>(part)) * kPrime;
    state += one; // whatever the order they are found in
  };
  add(tree);
  std::error_code error;
  for (fs::recursive_directory_iterator
           entry(tree, fs::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end; entry.increment(error))
    add(entry->path());
  return state;
}

} // namespace culprit::launch
