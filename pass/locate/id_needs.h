// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ids have to be read from memory when a value is, and which can wait.
//
// An id that is only asked whether it is corrupt need not be read before anything is: nobody will
// see it. And the id of a pointer that an access follows right after it was read stands where the
// pointer was read, as long as nothing has been written since: a crash is early enough to read it.
//
// Where ids travel in registers (id_parameters.h), a function's needs are those of its callers and
// of what it calls.
//
// Rules: decided on the program's own code, before anything is inserted, and the same in all
// flavours. When in doubt an id is needed.
#pragma once

#include "pass/locate/plan.h"

#include "llvm/ADT/MapVector.h"

namespace culprit {

// Sets `late` and `unasked` of plans, and takes definitions out of them that nobody will see.
class IdNeeds {
public:
  void add(llvm::Function &function, Plan &plan);
  // Once all functions are added whose ids need not all be read.
  void find();

private:
  struct Analysed {
    Plan *plan = nullptr;
    bool takes_registers = false; // for the ids of arguments and results
  };
  // Of a call by which ids travel in registers: the function.
  const Analysed *called_with_registers(const llvm::Value &value) const;
  static void find_late(llvm::Function &function, Plan &plan);
  void need(const llvm::Value *value);
  void need_operands(const llvm::Instruction &instruction);
  void need_result(const llvm::Instruction &result); // of a return
  void drop_unseen();
  Plan &plan_of(const llvm::Instruction &instruction);
  bool is_asked(const llvm::Instruction &to, unsigned operand) const;
  void look_at(llvm::Instruction &instruction, const Analysed &analysed);
  void follow(const llvm::Value &value);

  llvm::MapVector<llvm::Function *, Analysed> functions_;
  // Into variables that become registers.
  llvm::DenseMap<const llvm::AllocaInst *, llvm::SmallVector<const llvm::StoreInst *, 4>> stores_;
  llvm::DenseSet<const llvm::AllocaInst *> asked_; // of these variables
  llvm::DenseSet<const llvm::Value *> needed_;
  llvm::DenseSet<const llvm::Instruction *> needed_results_; // returns
  llvm::SmallVector<const llvm::Value *, 32> rest_;
};

} // namespace culprit
