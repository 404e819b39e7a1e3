// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places that unwind tables compute: those of the stubs calls to libraries go through, whose frame
// is 8 bytes longer behind their push (an expression over %rip), and of functions that align their
// stack, which keep the CFA in their frame. What %rip is, is known when the table is read: both
// come down to a register and a distance, and no more than that is understood.
#pragma once

#include "runtime/unwind/table_reader.h"

namespace culprit::unwind {

struct Place {
  enum Base : uint8_t {
    unknown,
    number,
    cfa,
    stack,
    frame,
    at_frame
  } base; // at_frame: what lies at %rbp + offset
  int64_t offset;
};

Place evaluate(TableReader code, uintptr_t pc);

} // namespace culprit::unwind
