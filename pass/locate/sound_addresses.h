// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which addresses were used a moment ago and did not fault: p->next needs no place of its own right
// after p->key.
//
// Two addresses are the same one if they are computed in the same way from the same values and from
// variables that were not written in between, but for a small constant. Calls may change what is
// mapped, and end it. What is known at the end of a block is known in the blocks that only it leads
// to.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Instructions.h"

#include <string>

namespace culprit {

class SoundAddresses {
public:
  explicit SoundAddresses(const llvm::DataLayout &layout) : layout_(layout) {}

  void enter(const llvm::BasicBlock &block);
  void leave(const llvm::BasicBlock &block);
  // Was it used before? It is from here on.
  bool meet(const llvm::Value *address, uint64_t size);
  // Called after each instruction.
  void pass(const llvm::Instruction &instruction);

private:
  struct State {
    llvm::StringSet<> sound;
    llvm::DenseMap<const llvm::AllocaInst *, unsigned> versions; // writes seen
  };
  bool becomes_register(const llvm::AllocaInst &local);
  bool describe(std::string &text, const llvm::Value *value, unsigned depth);

  const llvm::DataLayout &layout_;
  State state_;
  llvm::DenseMap<const llvm::AllocaInst *, bool> registers_;
  unsigned next_version_ = 1; // versions are unique, whatever way led here
  llvm::DenseMap<const llvm::BasicBlock *, State> ends_;
  llvm::DenseMap<const llvm::Instruction *, unsigned> loaded_; // versions at the time of the load
};

} // namespace culprit
