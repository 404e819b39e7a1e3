// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any line is words or an error; words that were read mean the same after being quoted.
#include "engine/launch/shell_words.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto line = culprit::launch::parse_shell_line({reinterpret_cast<const char *>(data), size});
  if (line && culprit::launch::parse_shell_line(culprit::launch::shell_quote(*line)) != *line)
    std::abort();
  return 0;
}
