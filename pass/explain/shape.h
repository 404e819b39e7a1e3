// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a statement is called in two versions of a program: the variables it reads and writes, whom
// it calls, whether it decides. Not its line, which moves with every edit above it, and neither
// constants nor operators nor members, since those are what a small edit changes: the statement
// that was edited is then still the same one.
#pragma once

#include "pass/locate/variable_names.h"

#include "llvm/IR/Instruction.h"

#include <string>

namespace culprit {

// Of the statement that the instruction belongs to: as far as its line goes in its block. Code that
// the pass has inserted is not seen.
std::string shape_of(const llvm::Instruction &inside, const VariableNames &names);
// The same by whom the statement calls alone: it does not change where variables were put into
// registers.
std::string calls_of(const llvm::Instruction &inside);

} // namespace culprit
