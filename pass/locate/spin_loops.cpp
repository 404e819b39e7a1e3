// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See spin_loops.h.
#include "pass/locate/spin_loops.h"

#include "abi/locate.h"
#include "pass/hooks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <vector>

namespace culprit {

namespace {

using Functions = llvm::DenseSet<const llvm::Function *>;

// How deep calls of members of std::atomic go: atomic_flag::test, wait, and their bases.
constexpr int kDepth = 4;
// A function with more calls than this is none of them.
constexpr unsigned kMostCalls = 4;

bool starts_threads(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        (function.getName() == "pthread_create" || function.getName() == "thrd_create" ||
         function.getName().starts_with("_ZNSt6thread15_M_start_thread")))
      return true;
  return false;
}

bool looks_at_others(const llvm::Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return (load->isAtomic() || load->isVolatile()) &&
           !load->getPointerOperand()->getName().starts_with("__culprit_"); // ours
  if (const auto *change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return change->getOperation() == llvm::AtomicRMWInst::Xchg;
  return llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
}

bool looks_at_others(const llvm::Instruction &instruction, const Functions &accessors) {
  if (looks_at_others(instruction))
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call != nullptr && accessors.contains(call->getCalledFunction());
}

bool is_short(const llvm::Function &function) {
  unsigned calls = 0;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block)
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function *callee = call->getCalledFunction();
            callee == nullptr ||
            !(callee->isIntrinsic() || callee->getName().starts_with("__culprit_")))
          ++calls;
  return calls <= kMostCalls;
}

Functions find_accessors(const llvm::Module &module) {
  std::vector<const llvm::Function *> candidates;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && is_short(function))
      candidates.push_back(&function);
  Functions accessors;
  for (int round = 0; round < kDepth; ++round) {
    std::vector<const llvm::Function *> found;
    for (const llvm::Function *function : candidates) {
      if (accessors.contains(function))
        continue;
      bool looks = false;
      for (const llvm::BasicBlock &block : *function)
        for (const llvm::Instruction &instruction : block)
          looks = looks || looks_at_others(instruction, accessors);
      if (looks)
        found.push_back(function);
    }
    if (found.empty())
      break;
    accessors.insert(found.begin(), found.end());
  }
  return accessors;
}

std::vector<llvm::BasicBlock *> spinning_headers(llvm::Function &function,
                                                 const Functions &accessors) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  std::vector<llvm::BasicBlock *> headers;
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    bool looks = false;
    for (const llvm::BasicBlock *block : loop->blocks())
      for (const llvm::Instruction &instruction : *block)
        looks = looks || looks_at_others(instruction, accessors);
    if (looks && !loop->getHeader()->isEHPad())
      headers.push_back(loop->getHeader());
  }
  return headers;
}

void count_down(llvm::BasicBlock &header, llvm::GlobalVariable &spins, Hooks &hooks) {
  llvm::IRBuilder<> builder(&*header.getFirstInsertionPt());
  llvm::LoadInst *before = builder.CreateLoad(builder.getInt32Ty(), &spins);
  llvm::Value *left = builder.CreateSub(before, builder.getInt32(1));
  builder.CreateStore(left, &spins);
  llvm::Value *over = builder.CreateICmpSLT(left, builder.getInt32(0));
  llvm::Instruction *rare = llvm::SplitBlockAndInsertIfThen(
      over, &*builder.GetInsertPoint(), false,
      llvm::MDBuilder(header.getContext()).createBranchWeights(1, CULPRIT_SPINS));
  llvm::IRBuilder<> there(rare);
  hooks.call(there, Hooks::spun, {});
}

} // namespace

void count_spinning_loops(llvm::Module &module, Hooks &hooks) {
  if (!starts_threads(module))
    return;
  const Functions accessors = find_accessors(module);
  llvm::GlobalVariable *spins = nullptr;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    for (llvm::BasicBlock *header : spinning_headers(function, accessors)) {
      if (spins == nullptr)
        spins = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(
            CULPRIT_SPINS_SYMBOL, llvm::Type::getInt32Ty(module.getContext())));
      count_down(*header, *spins, hooks);
    }
  }
}

} // namespace culprit
