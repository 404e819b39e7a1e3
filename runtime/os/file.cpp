// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/file.h"

#include "runtime/os/process.h"
#include "runtime/os/syscall.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/stat.h>

namespace culprit::os {
namespace {

long open_file(const char *path, long flags, long mode = 0) {
  return system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags | O_CLOEXEC, mode);
}

void close_file(long descriptor) { system_call(SYS_close, descriptor); }

bool identify(long descriptor, FileIdentity &identity, uint64_t &size) {
  struct statx status{};
  if (failed(system_call(SYS_statx, descriptor, reinterpret_cast<long>(""), AT_EMPTY_PATH,
                         STATX_INO | STATX_SIZE, reinterpret_cast<long>(&status))))
    return false;
  identity = {uint64_t{status.stx_dev_major} << 32 | status.stx_dev_minor, status.stx_ino};
  size = status.stx_size;
  return true;
}

// fallocate never shrinks, so two threads may grow at once, and a full disk is told here and not by
// SIGBUS later. A file system without it gets a sparse file, cut to length once; see
// run_file/writer.cpp.
bool make_room(long descriptor, uint64_t end, uint64_t size) {
  if (end <= size)
    return true;
  if (end > file_size_limit())
    return false;
  long result;
  do
    result = system_call(SYS_fallocate, descriptor, 0, static_cast<long>(size),
                         static_cast<long>(end - size));
  while (result == -EINTR);
  if (result == -EOPNOTSUPP)
    result = system_call(SYS_ftruncate, descriptor, static_cast<long>(end));
  return !failed(result);
}

} // namespace

Create create_file(const char *path, FileIdentity &identity) {
  long descriptor = open_file(path, O_RDWR | O_CREAT | O_EXCL, 0666);
  if (failed(descriptor))
    return descriptor == -EEXIST ? Create::exists : Create::failed;
  uint64_t size;
  bool known = identify(descriptor, identity, size);
  close_file(descriptor);
  return known ? Create::made : Create::failed;
}

bool map_file_part(const char *path, FileIdentity identity, uint64_t from, size_t bytes,
                   char *address) {
  long descriptor = open_file(path, O_RDWR);
  if (failed(descriptor))
    return false;
  FileIdentity found{};
  uint64_t size = 0;
  bool mapped = false;
  if (identify(descriptor, found, size) && found.device == identity.device &&
      found.inode == identity.inode && make_room(descriptor, from + bytes, size))
    mapped = !failed(system_call(SYS_mmap, reinterpret_cast<long>(address),
                                 static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_FIXED, descriptor, static_cast<long>(from)));
  close_file(descriptor);
  return mapped;
}

void cut_file(const char *path, FileIdentity identity, uint64_t length) {
  long descriptor = open_file(path, O_RDWR);
  if (failed(descriptor))
    return;
  FileIdentity found{};
  uint64_t size = 0;
  if (identify(descriptor, found, size) && found.device == identity.device &&
      found.inode == identity.inode)
    system_call(SYS_ftruncate, descriptor, static_cast<long>(length));
  close_file(descriptor);
}

size_t read_file(const char *path, char *buffer, size_t size, uint64_t offset) {
  long descriptor = open_file(path, O_RDONLY);
  if (failed(descriptor))
    return 0;
  size_t length = 0;
  while (length < size) {
    long result = system_call(SYS_pread64, descriptor, reinterpret_cast<long>(buffer + length),
                              static_cast<long>(size - length), static_cast<long>(offset + length));
    if (result == -EINTR)
      continue;
    if (result <= 0)
      break;
    length += static_cast<size_t>(result);
  }
  close_file(descriptor);
  return length;
}

bool can_read_file(const char *path) {
  long descriptor = open_file(path, O_RDONLY);
  if (failed(descriptor))
    return false;
  close_file(descriptor);
  return true;
}

size_t read_link(const char *path, char *buffer, size_t size) {
  long result = system_call(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>(path),
                            reinterpret_cast<long>(buffer), static_cast<long>(size));
  return failed(result) ? 0 : static_cast<size_t>(result);
}

size_t current_directory(char *buffer, size_t size) {
  long result = system_call(SYS_getcwd, reinterpret_cast<long>(buffer), static_cast<long>(size));
  return result <= 0 ? 0 : static_cast<size_t>(result) - 1; // the kernel counts the NUL
}

} // namespace culprit::os
