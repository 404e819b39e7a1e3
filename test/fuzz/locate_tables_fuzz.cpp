// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text is a table of definitions or an error; what a table says can be followed.
#include "engine/locate/tables.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto tables =
      culprit::locate::parse_tables(std::string_view(reinterpret_cast<const char *>(data), size));
  if (tables) {
    for (uint32_t i = 0; i <= tables->definitions.size() + 1; ++i)
      (void)tables->definition(i);
    for (uint32_t i = 0; i <= tables->places.size() + 1; ++i)
      (void)tables->place(i);
  }
  return 0;
}
