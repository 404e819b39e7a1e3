// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first bytes of what library functions compare or search, which they read for certain.
//
// How far strcmp() or memcmp() go nobody knows: what lies behind the first difference may be
// another's. But a text that is gone, or a pointer to nothing, shows at the first byte; a
// comparison is all that a map of string_view ever does with its keys. It is checked like an access
// of the program itself, since telling a range costs more than most comparisons do.
//
// Rules: where the length may be 0 nothing is read, and nothing is said.
#pragma once

#include "pass/accesses.h"

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class DominatorTree;
} // namespace llvm

namespace culprit {

llvm::SmallVector<Access, 2> first_reads(llvm::CallBase &call,
                                         const llvm::DominatorTree &dominators);

} // namespace culprit
