// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a write comes from: the functions whose results flow into the written address, the written
// value, or the conditions of the branches the write depends on.
//
// A walk backwards through the values of one function, nearest first. Inlined functions count: the
// debug locations of the values say which function's code computed them. So do indirect calls
// through a global variable, as far as the unit says what it holds. Functions that the write
// itself is part of are not its origins. The walk is bounded, and memory is not followed except
// through a load's address: an origin may be missing, and none is invented.
#pragma once

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instruction.h"

#include <string>
#include <vector>

namespace culprit {

std::vector<std::string> origins_of_write(const llvm::Instruction &write,
                                          const llvm::DominatorTree &dominators);

} // namespace culprit
