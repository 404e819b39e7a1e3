// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the optimiser that the program does not touch the variables shared with the runtime (clock,
// slots, stains), so that they can be kept in registers. Program and shadow memory stay of one
// kind: an overflow must be seen by everybody.
#pragma once

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace culprit {

void tell_runtime_variables_apart(llvm::Function &function);
// Of one access to a stain that was made later.
void tell_stain_apart(llvm::Instruction &access);

} // namespace culprit
