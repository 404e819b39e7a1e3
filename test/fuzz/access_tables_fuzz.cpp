// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text is a table of accesses or an error; what a table says can be followed and shown.
#include "engine/access/tables.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto tables =
      culprit::access::parse_tables(std::string_view(reinterpret_cast<const char *>(data), size));
  if (tables) {
    for (const culprit::access::AccessRow &row : tables->rows)
      if (row.site >= tables->sites.size())
        std::abort();
    for (const culprit::access::Variable &variable : tables->variables)
      if (variable.layout && *variable.layout >= tables->layouts.size())
        std::abort();
  }
  return 0;
}
