// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables are worth another neighbour (flavour reorder): those that addresses are made of,
// and those that can be overrun. A local pointer or index would be a register, where no overflow
// reaches it; the ones that belong beside a buffer are kept in memory instead.
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

// The named locals of a function that would be registers and are in `addresses`: planned to be in
// its frame from now on.
std::vector<llvm::AllocaInst *> demote(llvm::Function &function, Plan &plan,
                                       const llvm::DenseSet<const llvm::Value *> &addresses);

} // namespace culprit
