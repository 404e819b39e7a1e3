// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/short_circuits.h"

#include "pass/locate/leaves.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace culprit {

namespace {

// The only phi of a block that computes nothing but its own branch's condition from it; null: it is
// no such block.
llvm::PHINode *decides_by(llvm::BasicBlock &block) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  auto *phi = llvm::dyn_cast<llvm::PHINode>(&block.front());
  if (branch == nullptr || branch->isUnconditional() || phi == nullptr ||
      !phi->getType()->isIntegerTy(1) || llvm::is_contained(llvm::successors(&block), &block))
    return nullptr;
  for (const llvm::Instruction &instruction : block) {
    if (&instruction == branch || llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
      continue;
    const bool is_plain =
        &instruction == phi || (!llvm::isa<llvm::PHINode>(instruction) && is_computed(instruction));
    const auto stays = [&](const llvm::User *user) {
      const auto *where = llvm::dyn_cast<llvm::Instruction>(user);
      return where != nullptr && where->getParent() == &block;
    };
    if (!is_plain || !llvm::all_of(instruction.users(), stays))
      return nullptr;
  }
  return phi;
}

// Where the block goes if its phi is this; null: that depends on more.
llvm::BasicBlock *way_if(llvm::BasicBlock &block, const llvm::PHINode &phi,
                         llvm::Constant *constant) {
  const llvm::DataLayout &layout = block.getModule()->getDataLayout();
  llvm::DenseMap<const llvm::Value *, llvm::Constant *> known{{&phi, constant}};
  for (llvm::Instruction &instruction : block) {
    if (llvm::isa<llvm::PHINode, llvm::DbgInfoIntrinsic>(instruction) || instruction.isTerminator())
      continue;
    llvm::SmallVector<llvm::Constant *, 4> operands;
    for (llvm::Value *operand : instruction.operands()) {
      auto *value = llvm::dyn_cast<llvm::Constant>(operand);
      operands.push_back(value != nullptr ? value : known.lookup(operand));
    }
    if (llvm::is_contained(operands, nullptr))
      return nullptr;
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    known[&instruction] =
        intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::expect
            ? operands.front()
            : llvm::ConstantFoldInstOperands(&instruction, operands, layout);
  }
  auto *branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
  const auto *decided =
      llvm::dyn_cast_or_null<llvm::ConstantInt>(known.lookup(branch->getCondition()));
  return decided != nullptr ? branch->getSuccessor(decided->isZero() ? 1 : 0) : nullptr;
}

void lead_on(llvm::BasicBlock &from, llvm::BasicBlock &over, llvm::BasicBlock &to) {
  for (llvm::PHINode &phi : to.phis())
    phi.addIncoming(phi.getIncomingValueForBlock(&over), &from);
  over.removePredecessor(&from, /*KeepOneInputPHIs=*/true);
  from.getTerminator()->replaceSuccessorWith(&over, &to);
}

bool takes_one_way_to(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  return llvm::count(llvm::successors(&from), &to) == 1 &&
         llvm::isa<llvm::BranchInst>(from.getTerminator());
}

} // namespace

void branch_by_parts(llvm::Function &function) {
  llvm::SmallVector<llvm::BasicBlock *, 8> left;
  for (llvm::BasicBlock &block : function) {
    llvm::PHINode *phi = decides_by(block);
    if (phi == nullptr)
      continue;
    llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>, 4> ways;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(phi->getIncomingValue(i));
          constant != nullptr && takes_one_way_to(*phi->getIncomingBlock(i), block))
        if (llvm::BasicBlock *to = way_if(block, *phi, constant);
            to != nullptr && !llvm::is_contained(llvm::successors(phi->getIncomingBlock(i)), to))
          ways.emplace_back(phi->getIncomingBlock(i), to);
    for (auto [from, to] : ways)
      lead_on(*from, block, *to);
    if (!ways.empty())
      left.push_back(&block);
  }
  // What is left is the last part's, mostly of one block.
  for (llvm::BasicBlock *block : left) {
    auto *phi = llvm::cast<llvm::PHINode>(&block->front());
    if (phi->getNumIncomingValues() != 1)
      continue;
    phi->replaceAllUsesWith(phi->getIncomingValue(0));
    phi->eraseFromParent();
    llvm::MergeBlockIntoPredecessor(block);
  }
}

} // namespace culprit
