// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables are worth another neighbour (flavour reorder): those that addresses are made of,
// and those that can be overrun.
#pragma once

#include "pass/locate/plan.h"

#include "llvm/ADT/DenseSet.h"

namespace culprit {

// Pointers, and whatever the leaves of a planned place were loaded from: globals and locals.
void add_address_variables(const Plan &plan, llvm::DenseSet<const llvm::Value *> &variables);

// Has it elements or members, so that an access can go past it?
bool is_buffer(const llvm::Type &type);

// Functions of which no two activations exist at a time: nobody but main's direct callees calls
// them, and none of them again by itself. Empty if the program may have threads.
llvm::DenseSet<const llvm::Function *> alone(llvm::Module &module);

} // namespace culprit
