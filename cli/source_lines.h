// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of source files, for the excerpts in reports. Each file is read once; what cannot be
// read has no lines.
#pragma once

#include "report/excerpt.h"

namespace culprit::cli {

report::SourceLine source_lines();

} // namespace culprit::cli
