// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that asks for stains and sets them (abi/locate.h), in the suppress flavour. The runtime sets
// them for all ids that it writes; here is what code of the unit does by itself.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace culprit {

class Hooks;

// May one of these bytes be corrupt? Of at most CULPRIT_STAIN_REACH bytes.
llvm::Value *is_stained(llvm::IRBuilder<> &builder, llvm::Value *address, uint64_t size);

// The cells of so many bytes (a value) have ids of which one may be corrupt: `any` is all of them.
// The builder's block may be another one afterwards, its insertion point is the same instruction.
void stain_if_corrupt(llvm::IRBuilder<> &builder, Hooks &hooks, llvm::Value *address,
                      llvm::Value *size, llvm::Value *any);

// The ids of at most CULPRIT_STAIN_REACH bytes were copied. Without a branch.
void copy_stain(llvm::IRBuilder<> &builder, llvm::Value *to, llvm::Value *from, uint64_t size);

// Is this the address of a stain, as computed above?
bool is_of_stain(const llvm::Value &address);

} // namespace culprit
