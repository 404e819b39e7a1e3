// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instructions may change a pointer that lies in the heap.
//
// A write matters if its *location* may hold a pointer, before or after: storing a number over a
// pointer ends an edge just as storing a pointer begins one, so the value says nothing. What says
// something:
//   - the object: locals and globals are not on the heap;
//   - the access type (TBAA): a location accessed as double, float, int, short or bool holds no
//     pointer. Accesses through unions carry clang's character type and count as anything. Stores
//     of `long` count: C programs keep pointers in them;
//   - the width: below four bytes nothing counts (a pointer is not written byte by byte, and bytes
//     are what strings are made of); four bytes count where the access type is unknown or
//     character, since `union { void *p; int i; }` is real.
// Known limits: memory that a program's own pool hands out first for pointers and then for doubles
// keeps a stale edge until its card is written otherwise; a pointer assembled from bytes is seen
// when its card is written otherwise.
#pragma once

#include "llvm/IR/Instructions.h"

#include <optional>

namespace culprit {

struct Write {
  llvm::Instruction *at;
  llvm::Value *address;  // a vector of pointers for scatters
  llvm::Value *length;   // bytes, if not known when compiling; else nullptr
  uint64_t size;         // bytes, if known when compiling
  llvm::Align alignment; // of the address
};

// Locals, globals and arguments passed by value: never in the heap.
bool is_outside_heap(const llvm::Value *address);

std::optional<Write> heap_write(llvm::Instruction &instruction, const llvm::DataLayout &layout);

} // namespace culprit
