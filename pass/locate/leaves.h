// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a value is made of: its *leaves* are the loads, arguments, call results, phis and selects
// that arithmetic, address computations and casts lead back to. Constants and addresses of
// variables have none.
//
// A *copy* is a value that was handed on unchanged (but for its width): storing it makes no
// definition.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instruction.h"

namespace culprit {

struct Leaf {
  llvm::Value *value;
  llvm::StringRef role; // abi/sites.h
};

// Of an address: what it starts from first ("pointer" if nothing was added to it, else "base"),
// then what was added ("index"). No more than CULPRIT_LEAVES.
llvm::SmallVector<Leaf, 4> leaves_of_address(llvm::Value *address);

// Of any value, all with this role.
llvm::SmallVector<Leaf, 4> leaves_of(llvm::Value *value, llvm::StringRef role);

bool has_leaves(llvm::Value *value);

bool is_copy(const llvm::Value *value);

// Is it, or was it made from, less than a cell? In memory it stands among other bytes, and whoever
// put it there is who defined them.
bool is_part(const llvm::Value *value);

// Is its id the maximum of its operands' ids?
bool is_computed(const llvm::Instruction &instruction);

} // namespace culprit
