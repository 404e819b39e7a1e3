// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access that tells by itself what its address is made of. It is written as one machine
// instruction of ours, with the ids of its leaves as operands that the instruction does not use: so
// they are in registers when it faults, and a row of the table of accesses (abi/locate.h) says in
// which. That costs no instruction, where storing them for the case of a crash costs one each.
//
// Rules: only what one instruction of the machine does; all else shows its leaves by storing them.
// Accesses keep their order with it, as with a marked place (slots.h).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"

namespace culprit {

// Can it be made to tell, with so many leaves?
bool can_tell(const llvm::Instruction &access, size_t leaves);

// Where an id is when the access faults.
struct ToldTerm {
  llvm::WeakTrackingVH value; // the id, or a pointer to memory that has it
  bool is_memory = false;
  int64_t offset = 0; // of the memory
  uint64_t size = 0;
};
// The first is the id; if it is no more than `limit`, the newest of all.
struct ToldLeaf {
  llvm::SmallVector<ToldTerm, 1> terms;
  uint64_t limit = 0;
};

// Replaces the access, which must be able to.
void make_telling(llvm::Instruction &access, unsigned place, llvm::ArrayRef<ToldLeaf> leaves);

bool is_telling(const llvm::Instruction &instruction);

// Of a telling access: is this operand an id that it tells?
bool is_told_id(const llvm::Instruction &instruction, unsigned operand);
// These ids need not be in registers: the newest of so many, at the address given instead.
void tell_from_cells(llvm::CallInst &access,
                     llvm::ArrayRef<std::pair<unsigned, llvm::Value *>> operands, unsigned cells);

} // namespace culprit
