// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::filesystem::remove_all stops at a directory it may not read; targets leave such ones, and so
// does overlayfs (its work directory has mode 000).
#include "engine/launch/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

bool remove_entry(int directory, const char *name, dev_t device);

bool remove_contents(int directory, const char *name, dev_t device) {
  int opened = ::openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0 && errno == EACCES && ::fchmodat(directory, name, 0700, 0) == 0)
    opened = ::openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0)
    return false;
  ::fchmod(opened, 0700); // to be listed it must be readable, to lose its entries writable
  std::unique_ptr<DIR, int (*)(DIR *)> stream(::fdopendir(opened), ::closedir);
  if (!stream) {
    ::close(opened);
    return false;
  }
  bool all = true;
  while (const dirent *entry = ::readdir(stream.get())) {
    std::string_view child = entry->d_name;
    if (child != "." && child != "..")
      all = remove_entry(opened, entry->d_name, device) && all;
  }
  return all;
}

bool remove_entry(int directory, const char *name, dev_t device) {
  struct stat status;
  if (::fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT;
  if (!S_ISDIR(status.st_mode))
    return ::unlinkat(directory, name, 0) == 0 || errno == ENOENT;
  if (status.st_dev != device)
    return false; // somebody mounted something there: not ours to empty
  bool emptied = remove_contents(directory, name, device);
  return (::unlinkat(directory, name, AT_REMOVEDIR) == 0 || errno == ENOENT) && emptied;
}

} // namespace

bool remove_tree(const std::filesystem::path &path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0)
    return errno == ENOENT;
  return remove_entry(AT_FDCWD, path.c_str(), status.st_dev);
}

} // namespace culprit::launch
