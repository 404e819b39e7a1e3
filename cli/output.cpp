// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/output.h"

#include "engine/launch/temporary.h"

#include <cstdio>

namespace culprit::cli {

Result<void> write_document(const std::string &destination, const std::string &text) {
  if (destination != "-")
    return launch::write_atomically(destination, text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    return fail("standard output cannot be written");
  return {};
}

} // namespace culprit::cli
