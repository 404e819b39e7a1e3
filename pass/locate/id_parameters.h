// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of arguments and results as parameters and results. The rewriting sends them through slots
// (abi/locate.h) and notes here what it inserted; afterwards every function that only code we see
// calls, by its name, gets one more parameter for each id and returns the id beside its result. In
// registers they cost next to nothing, the optimiser takes away those that nobody asks for, and
// where a function is inlined nothing is left of them.
//
// Rules: notes are kept for the program's own calls and returns only. A function that must make or
// be the target of a tail call, is variadic or has an address taken inside keeps its slots.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace culprit {

// Does every call of it pass ids in registers?
bool passes_ids_in_registers(const llvm::Function &function);

class IdParameters {
public:
  // The id in slot `number` for this call.
  void note_argument(llvm::CallBase &call, unsigned number, llvm::StoreInst &store);
  // Of a result that is several values (records.h), one for each, in their order.
  void note_result(llvm::CallBase &call, llvm::LoadInst &load);
  void note_return(llvm::ReturnInst &result, llvm::StoreInst &store);

  // Once all functions are rewritten.
  void make(llvm::Module &module);

private:
  struct Call {
    llvm::SmallVector<llvm::StoreInst *, 4> arguments; // by slot; may be null
    llvm::SmallVector<llvm::LoadInst *, 1> results;
  };
  void widen(llvm::Function &function);
  void widen_call(llvm::CallBase &call, llvm::Function &callee, llvm::ArrayRef<unsigned> slots,
                  bool has_result);

  llvm::DenseMap<llvm::CallBase *, Call> calls_;
  llvm::DenseMap<llvm::ReturnInst *, llvm::SmallVector<llvm::StoreInst *, 1>> returns_;
};

} // namespace culprit
