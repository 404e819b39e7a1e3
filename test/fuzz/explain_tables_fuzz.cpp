// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text is a table of points or an error; what a table says can be followed.
#include "engine/explain/tables.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto tables =
      culprit::explain::parse_tables(std::string_view(reinterpret_cast<const char *>(data), size));
  if (tables) {
    for (uint32_t i = 0; i <= tables->sites.size() + 1; ++i)
      (void)tables->site(i);
    for (uint32_t i = 0; i <= tables->names.size() + 1; ++i)
      (void)tables->name(i);
    for (uint32_t i = 0; i <= tables->types.size() + 1; ++i)
      for (const uint64_t offset : {0, 1, 8, 4096})
        (void)culprit::explain::leaf_behind(tables->types, i, offset);
  }
  return 0;
}
