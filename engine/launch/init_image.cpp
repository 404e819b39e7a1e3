// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/init_image.h"

#include "engine/launch/descriptor.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

// clang 19 has no #embed for C++ with libstdc++ 12's dialect flags; the assembler can.
asm(".section .rodata.culprit_launch_init,\"a\",@progbits\n"
    "culprit_launch_init_begin:\n"
    ".incbin \"" CULPRIT_LAUNCH_INIT "\"\n"
    "culprit_launch_init_end:\n"
    ".text\n");
extern "C" const char culprit_launch_init_begin[];
extern "C" const char culprit_launch_init_end[];

namespace culprit::launch {
namespace {

Result<int> make_image() {
  Descriptor memory = adopt(::memfd_create("culprit-init", MFD_CLOEXEC));
  if (!memory.is_open())
    return fail(fmt::format("cannot prepare a launch: memfd_create: {}", std::strerror(errno)));
  const char *next = culprit_launch_init_begin;
  while (next != culprit_launch_init_end) {
    ssize_t count =
        ::write(memory.get(), next, static_cast<size_t>(culprit_launch_init_end - next));
    if (count <= 0)
      return fail(fmt::format("cannot prepare a launch: {}", std::strerror(errno)));
    next += count;
  }
  // A file that is open for writing cannot be executed; this is the same one, opened for reading.
  Descriptor readable =
      open_file(fmt::format("/proc/self/fd/{}", memory.get()).c_str(), 0 /* O_RDONLY */);
  if (!readable.is_open())
    return fail(fmt::format("cannot prepare a launch: /proc/self/fd: {}", std::strerror(errno)),
                "culprit needs /proc to be mounted");
  static Descriptor kept;
  kept = std::move(readable);
  return kept.get();
}

} // namespace

Result<int> init_image() {
  static const Result<int> kImage = make_image();
  return kImage;
}

} // namespace culprit::launch
