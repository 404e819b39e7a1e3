// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an instruction is in the source, and the numbers made of it.
//
// What the optimiser merged has a location without a line; the nearest place before it, of the same
// source function, stands for it. Names are those of the source: linkage names, without what
// link-time optimisation appends.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include <cstdint>
#include <string>

namespace culprit {

// As the debug information has it, with its directory if relative.
std::string file_of(const llvm::DILocation &location);

// May be null, and may have no line.
const llvm::DILocation *location_of(const llvm::Instruction &instruction);

// Gives every instruction that touches memory the place that stands for it. Before anything is put
// into the module: what is found by looking around must not depend on the checks of a flavour.
void settle_places(llvm::Module &module);

// The function's name in the source.
llvm::StringRef source_name(const llvm::Function &function);

// Which function the code at this location was written in: its linkage name.
llvm::StringRef function_at(const llvm::DILocation &location);

struct SourcePlace {
  std::string file;
  std::string function;
  unsigned line;          // 0: unknown
  unsigned relative_line; // from the function's first
  unsigned column;
};

// Without a line if there is no location; the file and function are then the instruction's.
SourcePlace place_of(const llvm::Instruction &instruction);
SourcePlace place_of(const llvm::DILocation &location);

std::string hex(uint64_t number); // 16 digits
uint64_t hash(llvm::StringRef text);

} // namespace culprit
