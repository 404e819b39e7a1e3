// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native code that no pass sees: what a call of it may write, and what is inserted after the call.
//
// Known are the functions of library_functions.def, what LLVM knows of the C library (arguments
// that are not read-only), and the C++ library by its mangled names: a const member writes nothing
// but its result, anything else may write all objects it is handed (a string, say, in an array of
// strings), and streams and their buffers keep writing their whole blocks. Any other function that
// is not of this unit may keep and write what it is handed. Known limits: blocks reached only
// through other blocks, or through a local struct whose address is handed over; targets of indirect
// calls (taken to be code we see); assembler that writes through other than its operands.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <vector>

namespace culprit {

class Hooks;

struct LibraryEffect {
  uint64_t written = 0; // bit n: argument n
  uint64_t objects = 0; // bit n: of argument n, no more than the object it refers to
  uint64_t words = 0;   // bit n: argument n, no more than 16 bytes
  uint64_t kept = 0;    // bit n: argument n, and it may be written after the call
  // At most a range of known length is written. Numbers of arguments; -1: none.
  int range_address = -1;
  int range_length = -1;
  int range_count = -1; // the length is that of one item
  enum class Text : uint8_t { none, ends_with_zero, length_returned } text = Text::none;
};

// Without what fortification and versions add: __memcpy_chk is memcpy, __isoc99_sscanf is sscanf.
llvm::StringRef plain_library_name(llvm::StringRef name);

// Where code that runs after a call has to go; nullptr: nowhere (a tail call that must stay one).
llvm::Instruction *place_after(llvm::CallBase &call);

class LibraryCalls {
public:
  explicit LibraryCalls(const llvm::Module &module);

  // The length of a text with its terminating zero, as code.
  llvm::Value *measure_text(llvm::IRBuilder<> &builder, llvm::Value *address);

  bool is_known(const llvm::Function &function);
  void insert_marks(llvm::CallBase &call, Hooks &hooks);

private:
  struct Known {
    bool is_known;
    LibraryEffect effect; // of an unknown function: everything is kept
  };
  const Known &look_up(const llvm::Function &function);
  Known find(const llvm::Function &function) const;
  llvm::Value *range_length(llvm::IRBuilder<> &builder, const LibraryEffect &effect,
                            llvm::CallBase &call);
  llvm::Function *text_length(llvm::Module &module);

  llvm::TargetLibraryInfoImpl library_implementation_;
  llvm::TargetLibraryInfo library_;
  llvm::DenseMap<const llvm::Function *, Known> cache_;
  llvm::Function *text_length_ = nullptr;
};

} // namespace culprit
