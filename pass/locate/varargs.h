// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of variadic arguments, for x86-64's calling convention.
//
// The callee takes its variadic arguments from memory (the registers' save area, and what was
// passed on the stack) by loads like any other. So the cells of that memory get the ids, at entry.
// Only the caller knows which argument is where. It puts their ids into __culprit_argument_ids
// behind those of the F fixed arguments, in the shape of that memory:
//
//   [F]       6 general registers, in the order of arguments
//   [F + 6]   8 vector registers
//   [F + 14]  number of words on the stack that follow
//   [F + 15]  words of 8 bytes on the stack, as many as there are slots
//
// A register or word that holds no variadic argument has 0, as has a struct passed by value. With
// so many fixed arguments that this does not fit, there are no ids.
//
// A va_list itself gets id 0 where it is started, and keeps its ids where it is copied.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace culprit {

class Hooks;

class VariadicIds {
public:
  VariadicIds(llvm::Module &module, Hooks &hooks) : module_(module), hooks_(hooks) {}

  // At a call whose function type is variadic, of code that is or may be seen. ids: one per
  // argument of the call, the fixed ones (which it does not store) included; those missing are 0.
  void send(llvm::IRBuilder<> &builder, llvm::CallBase &call, llvm::ArrayRef<llvm::Value *> ids);

  // In a function's body, variadic or not, when everything else is inserted.
  void receive(llvm::Function &function);

private:
  llvm::Function *receiver();
  llvm::Value *slot(unsigned number);

  llvm::Module &module_;
  Hooks &hooks_;
  llvm::Function *receiver_ = nullptr;
};

// All variadic calls and functions, with the number of the argument from 1 as its id: for tests.
class VariadicIdsPass : public llvm::PassInfoMixin<VariadicIdsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
  static bool isRequired() { return true; }
};

} // namespace culprit
