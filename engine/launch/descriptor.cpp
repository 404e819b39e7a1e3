// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/descriptor.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace culprit::launch {

void Descriptor::close() {
  if (number_ >= 0)
    ::close(std::exchange(number_, -1));
}

Descriptor adopt(int number) {
  if (number < 0 || number >= kLowestDescriptor)
    return Descriptor(number);
  Descriptor low(number);
  return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, kLowestDescriptor));
}

Pipe open_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return {};
  return {adopt(ends[0]), adopt(ends[1])};
}

Descriptor open_file(const char *path, int flags, unsigned mode) {
  return adopt(::open(path, flags | O_CLOEXEC, mode));
}

Descriptor open_process(pid_t process) {
  // By number: glibc 2.36 declares pidfd_open without C linkage.
  return adopt(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
}

} // namespace culprit::launch
