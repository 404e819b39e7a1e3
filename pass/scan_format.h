// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the conversions of a scanf format write.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace culprit {

struct ScanTarget {
  uint64_t size; // bytes; 0: text with its terminating zero
  bool counts;   // in scanf's result
};

// One for each argument behind the format, up to a conversion nobody knows.
llvm::SmallVector<ScanTarget> scan_targets(llvm::StringRef format);

} // namespace culprit
