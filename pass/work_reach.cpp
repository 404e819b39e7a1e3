// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/work_reach.h"

#include "pass/call_graph.h"
#include "pass/writes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

// What can be said without the call graph.
bool works_itself(const llvm::Instruction &instruction, const llvm::DataLayout &layout) {
  // The instruction is not changed: a Write says where to insert, too.
  if (heap_write(const_cast<llvm::Instruction &>(instruction), layout))
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) &&
         called_here(*call) == nullptr && !call->onlyReadsMemory();
}

} // namespace

bool is_ifunc_resolver(const llvm::Function &function) {
  return llvm::any_of(function.getParent()->ifuncs(), [&](const llvm::GlobalIFunc &ifunc) {
    return ifunc.getResolverFunction() == &function;
  });
}

WorkReach::WorkReach(const llvm::Module &module)
    : working_(reaching(module, [&](const llvm::Instruction &instruction) {
        return works_itself(instruction, module.getDataLayout());
      })) {}

} // namespace culprit
