// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the conversions of a printf format do with the memory behind their arguments.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace culprit {

struct PrintTarget {
  enum class Use : uint8_t {
    value,   // none: it is no pointer, or only shown
    text,    // read up to its zero
    part,    // the beginning of a text, by a precision; wide text
    written, // %n
  } use;
  uint64_t size = 0; // bytes written
};

// One for each argument behind the format, up to a conversion nobody knows. None if arguments are
// numbered (%1$s).
llvm::SmallVector<PrintTarget> print_targets(llvm::StringRef format);

} // namespace culprit
