// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instructions read or write memory that may belong to a watched object, and how much of it.
//
// Every kind of access is described alike: loads, stores and atomic updates by their address and
// size; block copies and clears by a length; vector accesses under a mask by one address and one
// condition for each lane. What library functions do on behalf of their caller is
// pass/library_accesses' part.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>

namespace culprit {

struct Access {
  llvm::Instruction *at;         // before this it is checked
  const llvm::Instruction *from; // this makes the access: its place in the source is the site
  llvm::Value *address;          // of lanes: a vector of pointers, or the first lane's
  llvm::Value *length;           // bytes, if not known when compiling; else nullptr
  llvm::Value *mask;             // of lanes, a vector of i1; else nullptr
  uint64_t size;                 // bytes, if known when compiling; of lanes: of each
  llvm::Align alignment;
  bool is_read;
};

// At most two: an atomic update and a copy read and write.
llvm::SmallVector<Access, 2> accesses_of(llvm::Instruction &instruction,
                                         const llvm::DataLayout &layout);

// What its type says (TBAA), if it has one: a member of a struct, or a whole object, which may be
// an element of an array.
enum class AccessType : uint8_t { unknown, member, whole };
AccessType type_of(const llvm::Instruction &access);

// A named variable at a fixed place, inside its bounds: no pointer, no index.
bool is_direct(const Access &access, const llvm::DataLayout &layout);

} // namespace culprit
