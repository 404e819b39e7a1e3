// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the memory of a stopped run, region by region (abi/explain.h).
#pragma once

#include <stdint.h>

namespace culprit::explain {

bool write_snapshot(const char *path, uint32_t site);

} // namespace culprit::explain
