// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves local variables from the machine's stack to the data stack of abi/locate.h.
//
// Moved is what an overflow can start from or hit: variables whose address gets out of sight or is
// computed, those of variable length, and arguments passed by value in memory. What mem2reg makes a
// register, or SROA several, stays. A function that moves something gets one frame, in the order
// and with the adjacency that clang -O0 gives on x86-64: the first declared variable highest, each
// at its natural alignment, and where the saved frame pointer would be a *sentinel*, which looks
// like a return address and is compared at every exit:
//
//   frame + size   the caller's frame (16-aligned)
//                  arguments passed by value, the first lowest
//   sentinel       8 bytes, then 8 unused ones
//                  first declared variable
//                  …
//   frame          last declared variable
//                  variables of variable length, in the order they come to life
//
// Layout and offsets are FrameLayout's alone. In the flavour reorder they are only what a
// table begins with (layout.h): every size and offset is looked up there when a frame is made, and
// the runtime is told of its beginning and end. Frames that an exception or longjmp abandons are
// popped where control arrives, in all functions.
//
// Rules: plan before anything is inserted, move when the function has all its exits. Between the
// two an alloca (or the argument) stands for the variable's address. Known limits: other machine
// stacks of the program's own (swapcontext) share one data stack; coroutines before they are split,
// naked functions and ifunc resolvers keep their variables.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace culprit {

class Hooks;
class LayoutTable;

enum class Home : uint8_t {
  promoted, // a register
  split,    // several: only loaded and stored, at constant places inside
  frame,    // of the data stack
  dynamic,  // below the frame: of variable length
  machine,  // cannot be moved (swifterror, inalloca, …)
};

Home home_of(const llvm::AllocaInst &place);

struct FrameVariable {
  llvm::Value *place; // alloca or byval argument; once moved, its address
  std::string name;   // as in the source; empty: a temporary
  uint64_t size;
  llvm::Align alignment;
  bool is_argument;
  uint64_t offset = 0; // from the frame's lowest address
};

struct FrameLayout {
  uint64_t size = 0; // 0: no frame
  llvm::Align alignment;
  uint64_t sentinel = 0; // offset
  std::vector<FrameVariable> variables;
};

// Gives each variable its offset.
FrameLayout lay_out(std::vector<FrameVariable> variables);

struct FramePlan {
  FrameLayout layout;
  std::vector<llvm::AllocaInst *> dynamic;
  std::vector<llvm::Argument *> left_by_value; // byval arguments that must stay where they are
};

class DataStack {
public:
  DataStack(llvm::Module &module, Hooks &hooks, bool suppresses, LayoutTable *layout = nullptr)
      : module_(module), hooks_(hooks), suppresses_(suppresses), layout_(layout) {}

  const FramePlan &plan(llvm::Function &function);
  void move(llvm::Function &function);

private:
  llvm::Module &module_;
  Hooks &hooks_;
  bool suppresses_;     // of the flavour
  LayoutTable *layout_; // null: fixed
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<FramePlan>> plans_;
};

// All functions, nothing else: for tests.
class DataStackPass : public llvm::PassInfoMixin<DataStackPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace culprit
