// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow of the suppress flavour: a branch on something corrupt goes to where both ways meet.
// The values that cross the meeting point are its phis alone (what dominates it still does), and
// these get (zero, corrupt).
#include "pass/locate/rewriter.h"

#include "pass/locate/records.h"

#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace culprit {

void FunctionRewriter::branch(llvm::Instruction &terminator, llvm::Value *condition) {
  keep_part(terminator);
  llvm::Value *id = id_of(condition);
  if (!code_.suppresses() || id == code_.number(0))
    return;
  // What is split off a block lies behind it, so the program's block is still where it begins.
  const llvm::BasicBlock *origin = origins_.lookup(&terminator);
  llvm::BasicBlock *target = post_dominators_->of(origin);
  if (target == nullptr)
    target = return_block();
  Builder builder(&terminator);
  llvm::BasicBlock *before = terminator.getParent();
  llvm::BasicBlock *after = before->splitBasicBlock(terminator.getIterator());
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.SetCurrentDebugLocation(terminator.getDebugLoc());
  llvm::Value *bad = code_.is_corrupt(builder, id);
  llvm::BasicBlock *from = mark_unwritten(*before, *target, skipped_->of(origin));
  builder.CreateCondBr(bad, from == before ? target : from, after, unlikely());
  jumps_.insert(from);
  for (llvm::PHINode &phi : target->phis())
    if (!is_of_ids(phi))
      phi.addIncoming(llvm::Constant::getNullValue(phi.getType()), from);
}

// On the way from a block to where its ways meet these rooms become corrupt, and zero. Gives back
// the block that goes there.
llvm::BasicBlock *FunctionRewriter::mark_unwritten(llvm::BasicBlock &before,
                                                   llvm::BasicBlock &target,
                                                   llvm::ArrayRef<SkippedWrites::Room> rooms) {
  if (rooms.empty())
    return &before;
  auto *from = llvm::BasicBlock::Create(function_.getContext(), "culprit.unwritten", &function_);
  llvm::Instruction *last = llvm::BranchInst::Create(&target, from);
  last->setDebugLoc(before.back().getDebugLoc());
  Builder builder(last);
  for (const SkippedWrites::Room &room : rooms) {
    auto *local = llvm::dyn_cast<llvm::AllocaInst>(room.address);
    if (llvm::AllocaInst *shadow = local != nullptr ? shadows_.lookup(local) : nullptr)
      store_in_all(builder, *shadow, code_.corrupt());
    else
      code_.hooks().call(builder, Hooks::define,
                         {room.address, code_.number(room.size), code_.corrupt()});
    builder.CreateMemSet(room.address, builder.getInt8(0), room.size, room.alignment);
  }
  return from;
}

// Returns nothing, and says so.
llvm::BasicBlock *FunctionRewriter::return_block() {
  if (return_block_ != nullptr)
    return return_block_;
  return_block_ = llvm::BasicBlock::Create(function_.getContext(), "culprit.return", &function_);
  Builder builder(return_block_);
  if (function_.getSubprogram() != nullptr)
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(function_.getContext(), 0, 0, function_.getSubprogram()));
  llvm::Type *type = function_.getReturnType();
  if (type->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    llvm::ReturnInst *end = builder.CreateRet(llvm::Constant::getNullValue(type));
    builder.SetInsertPoint(end);
    for (unsigned i = 0; i < count_ids_of_result(function_); ++i)
      parameters_.note_return(*end, *builder.CreateStore(code_.corrupt(), code_.result_id(i)));
  }
  return return_block_;
}

} // namespace culprit
