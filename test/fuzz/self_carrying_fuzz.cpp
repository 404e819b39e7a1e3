// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes given to the linker as an object or archive are copied with a frame, or refused. LLVM's
// readers may die of them, so they run as the link shim runs them: in a child
// (docs/decisions/0005-isolated-readers.md).
#include "engine/build/self_carrying.h"
#include "engine/launch/isolated.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  (void)culprit::launch::isolated([&]() -> culprit::Result<std::string> {
    if (!culprit::build::carries_frame(bytes))
      (void)culprit::build::self_carrying_copy(bytes, "fuzz.o");
    (void)culprit::build::self_carrying_archive(bytes, "fuzz.a");
    return std::string();
  });
  return 0;
}
