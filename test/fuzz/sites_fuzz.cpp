// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any text is a table of sites or an error; its names can be shown.
#include "engine/heap/sites.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  if (const auto sites = culprit::heap::parse_sites(text))
    for (const culprit::heap::Site &site : *sites) {
      (void)culprit::heap::display_function(site.function);
      (void)culprit::heap::short_function(site.function);
    }
  return 0;
}
