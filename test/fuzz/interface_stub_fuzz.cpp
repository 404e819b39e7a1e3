// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes given to the linker as a shared object have an interface, or are refused. LLVM's reader
// may die of them, so it runs as the link shim runs it: in a child
// (docs/decisions/0005-isolated-readers.md).
#include "engine/build/interface_stub.h"
#include "engine/launch/isolated.h"

#include <cstdint>
#include <string>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::string scratch = "/dev/shm/culprit-fuzz-stub-" + std::to_string(::getpid());
  (void)culprit::launch::isolated([&] {
    return culprit::build::interface_stub({reinterpret_cast<const char *>(data), size},
                                          "libfuzz.so", scratch);
  });
  ::unlink(scratch.c_str());
  return 0;
}
