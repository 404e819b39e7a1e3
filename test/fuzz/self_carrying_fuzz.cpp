// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes given to the linker as an object or archive are copied with a frame, or refused.
#include "engine/build/self_carrying.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  if (!culprit::build::carries_frame(bytes))
    (void)culprit::build::self_carrying_copy(bytes, "fuzz.o");
  (void)culprit::build::self_carrying_archive(bytes, "fuzz.a");
  return 0;
}
