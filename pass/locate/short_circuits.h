// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `a && b` that is made a value and branched by at once (`assert` in C++, `likely(a && b)`) becomes
// what it is elsewhere: branches. So each part is seen to lead where it does (reasons.h), and a
// part that was not asked is none of the condition's leaves.
//
// Rules: only blocks that do nothing but branch by such a value, and only the ways on which it is a
// constant. The same in all flavours, since it decides what is numbered.
#pragma once

#include "llvm/IR/Function.h"

namespace culprit {

void branch_by_parts(llvm::Function &function);

} // namespace culprit
