// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text is a link record or an error, and a link record that was read survives being written.
#include "engine/build/link_record.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto record =
      culprit::build::link_record_from_json({reinterpret_cast<const char *>(data), size});
  if (record && culprit::build::link_record_from_json(culprit::build::to_json(*record)) != *record)
    std::abort();
  return 0;
}
