// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/open_files.h"

#include "runtime/os/file.h"
#include "runtime/os/syscall.h"
#include "runtime/text.h"

#include <linux/fcntl.h>
#include <linux/stat.h>

namespace culprit::os {
namespace {

constexpr int kDescriptors = 1024;
// <linux/stat.h> leaves these to libc.
constexpr unsigned kFileType = 0170000;
constexpr unsigned kRegularFile = 0100000;
constexpr long kSeekCurrent = 1;
constexpr long kSeekStart = 0;

struct Link {
  char path[64];
  explicit Link(long descriptor) {
    text::append(path, text::append(path, 0, "/proc/self/fd/"), static_cast<uint64_t>(descriptor));
  }
};

// The same file, opened once more.
long open_again(long descriptor, long flags) {
  Link link(descriptor);
  return system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(link.path), flags);
}

bool look_at(long descriptor, OpenFile &file) {
  long flags = system_call(SYS_fcntl, descriptor, F_GETFL);
  if (failed(flags) || flags & O_PATH)
    return false;
  struct statx status{};
  if (failed(system_call(SYS_statx, descriptor, reinterpret_cast<long>(""), AT_EMPTY_PATH,
                         STATX_TYPE | STATX_SIZE, reinterpret_cast<long>(&status))) ||
      (status.stx_mode & kFileType) != kRegularFile)
    return false;
  long offset = system_call(SYS_lseek, descriptor, 0, kSeekCurrent);
  file = {static_cast<int>(descriptor), static_cast<uint32_t>(flags),
          failed(offset) ? 0 : static_cast<uint64_t>(offset), status.stx_size};
  return true;
}

// Closes the second.
void replace(long descriptor, long by) {
  long closes = system_call(SYS_fcntl, descriptor, F_GETFD);
  system_call(SYS_dup3, by, descriptor, !failed(closes) && closes & FD_CLOEXEC ? O_CLOEXEC : 0);
  system_call(SYS_close, by);
}

bool write_all(long descriptor, const char *bytes, size_t size) {
  for (size_t at = 0; at < size;) {
    long count = system_call(SYS_pwrite64, descriptor, reinterpret_cast<long>(bytes + at),
                             static_cast<long>(size - at), static_cast<long>(at));
    if (failed(count) || count == 0)
      return false;
    at += static_cast<size_t>(count);
  }
  return true;
}

} // namespace

bool find_open_file(int from, OpenFile &file) {
  for (int descriptor = from; descriptor < kDescriptors; ++descriptor)
    if (look_at(descriptor, file))
      return true;
  return false;
}

size_t name_of_file(int descriptor, char *buffer, size_t size) {
  Link link(descriptor);
  return read_link(link.path, buffer, size);
}

bool read_open_file(int descriptor, char *buffer, size_t size) {
  long file = open_again(descriptor, O_RDONLY | O_CLOEXEC);
  if (failed(file))
    return false;
  size_t at = 0;
  while (at < size) {
    long count = system_call(SYS_pread64, file, reinterpret_cast<long>(buffer + at),
                             static_cast<long>(size - at), static_cast<long>(at));
    if (failed(count) || count == 0)
      break;
    at += static_cast<size_t>(count);
  }
  system_call(SYS_close, file);
  return at == size;
}

void seek_file(int descriptor, uint64_t offset) {
  system_call(SYS_lseek, descriptor, static_cast<long>(offset), kSeekStart);
}

bool fill_file(int descriptor, const char *bytes, size_t size) {
  OpenFile file{};
  if (look_at(descriptor, file) && (file.flags & O_ACCMODE) != O_RDONLY) {
    long again = open_again(descriptor, O_WRONLY | O_CLOEXEC); // O_APPEND would write elsewhere
    bool done = !failed(again) && !failed(system_call(SYS_ftruncate, again, 0)) &&
                write_all(again, bytes, size);
    if (!failed(again))
      system_call(SYS_close, again);
    seek_file(descriptor, 0);
    return done;
  }
  long made = system_call(SYS_memfd_create, reinterpret_cast<long>("input"), 0);
  if (failed(made) || !write_all(made, bytes, size))
    return false;
  if (made != descriptor)
    replace(descriptor, made);
  return true;
}

void close_file(int descriptor) { system_call(SYS_close, descriptor); }

void part_files() {
  OpenFile file{};
  for (int from = 0; find_open_file(from, file); from = file.number + 1) {
    long again = open_again(file.number, file.flags & ~(O_CREAT | O_EXCL | O_TRUNC));
    if (failed(again))
      continue;
    system_call(SYS_lseek, again, static_cast<long>(file.offset), kSeekStart);
    replace(file.number, again);
  }
}

} // namespace culprit::os
