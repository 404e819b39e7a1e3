// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where code that was optimised reads ids from memory, known by how a cell's address is computed
// (abi/locate.h), and the code that reads one.
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace culprit {

// An id that was read: of one cell, or the newer of two.
struct IdRead {
  llvm::Value *cells = nullptr;    // the address of the first
  llvm::LoadInst *first = nullptr; // in the order of the block
  llvm::LoadInst *last = nullptr;
};

// By the id, all of so many cells (1 or 2).
using IdReads = llvm::MapVector<llvm::Instruction *, IdRead>;
IdReads find_id_reads(llvm::Function &function, unsigned cells);

// What late reads (late_reads.h) have made of them: reads at an address that may be one of several,
// some of which are places on the stack made for that (note_spill_slot).
IdReads find_late_id_reads(llvm::Function &function, unsigned cells);
void note_late_read(llvm::Value &id);
void note_spill_slot(llvm::AllocaInst &slot);
bool is_spill_slot(const llvm::AllocaInst &slot);

llvm::Value *read_id(llvm::IRBuilder<> &builder, llvm::Value *cells, unsigned count);

} // namespace culprit
