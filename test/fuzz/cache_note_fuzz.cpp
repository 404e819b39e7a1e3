// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text beside a cached flavour is a note or none; a note that was read survives being written.
#include "engine/build/cache_note.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const auto note = culprit::build::cache_note_from_json(text);
  if (note && culprit::build::cache_note_from_json(culprit::build::to_json(*note)) != *note)
    std::abort();
  (void)culprit::build::parse_cache_limit(text);
  return 0;
}
