// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a command's documents go: `-` is standard output, anything else a file that appears whole
// or not at all.
#pragma once

#include "engine/error.h"

#include <string>

namespace culprit::cli {

Result<void> write_document(const std::string &destination, const std::string &text);

} // namespace culprit::cli
