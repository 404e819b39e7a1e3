// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes are a program with the shared objects it needs, or an error.
#include "engine/build/needed.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)culprit::build::read_dynamic_needs({reinterpret_cast<const char *>(data), size}, "fuzz");
  return 0;
}
