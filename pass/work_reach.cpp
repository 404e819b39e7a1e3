// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/work_reach.h"

#include "abi/features.h"
#include "pass/call_graph.h"
#include "pass/writes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Instructions.h"
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

bool writes(const llvm::Instruction &instruction) {
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store != nullptr &&
         !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand()));
}

} // namespace

bool is_ifunc_resolver(const llvm::Function &function) {
  return llvm::any_of(function.getParent()->ifuncs(), [&](const llvm::GlobalIFunc &ifunc) {
    return ifunc.getResolverFunction() == &function;
  });
}

WorkReach::WorkReach(const llvm::Module &module, unsigned features)
    : working_(reaching(module, [&](const llvm::Instruction &instruction) {
        const bool measures_periods =
            (features & CULPRIT_FEATURE_COUNTS) != 0 && (features & CULPRIT_FEATURE_HEAP) == 0;
        return works_itself(instruction, module.getDataLayout()) ||
               (measures_periods && writes(instruction));
      })) {}

} // namespace culprit
