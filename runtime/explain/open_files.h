// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Open files as regions of a snapshot (abi/explain.h).
#pragma once

#include "abi/explain.h"
#include "runtime/explain/file.h"

#include <stdint.h>

namespace culprit::explain {

// As many rows will be asked for, one after the other, from 0.
uint64_t count_open_files();
// Appends its bytes, and fills the row; false: there is no room. `from` is where to look for the
// next one, and moves on.
bool tell_open_file(int &from, File &file, culprit_snapshot_region &row);

} // namespace culprit::explain
