// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes are an executable with what it carries, or an error.
#include "engine/build/carried.h"
#include "test/fuzz/made_true.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string bytes(reinterpret_cast<const char *>(data), size);
  (void)culprit::build::read_carried_bytes(bytes, "fuzz");
  (void)culprit::build::read_carried_bytes(with_true_frames(bytes), "fuzz");
  return 0;
}
