// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/stains.h"

#include "abi/locate.h"
#include "pass/hooks.h"

#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cassert>

namespace culprit {

namespace {

llvm::Value *stain_of(llvm::IRBuilder<> &builder, llvm::Value *address) {
  llvm::Value *bits = builder.CreatePtrToInt(address, builder.getInt64Ty());
  llvm::Value *number = builder.CreateZExt(
      builder.CreateLShr(builder.CreateTrunc(bits, builder.getInt32Ty()), CULPRIT_STRETCH_SHIFT),
      builder.getInt64Ty());
  return builder.CreateIntToPtr(builder.CreateAdd(number, builder.getInt64(CULPRIT_STAINS_BASE)),
                                builder.getPtrTy());
}

} // namespace

llvm::Value *is_stained(llvm::IRBuilder<> &builder, llvm::Value *address, uint64_t size) {
  // Members of one object ask for one stain.
  const llvm::DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  llvm::Value *base =
      address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  if (offset.ult(CULPRIT_STAIN_REACH + 1) && offset.getZExtValue() + size <= CULPRIT_STAIN_REACH)
    address = base;
  return builder.CreateIsNotNull(
      builder.CreateLoad(builder.getInt8Ty(), stain_of(builder, address)));
}

bool is_of_stain(const llvm::Value &address) {
  const auto *cast = llvm::dyn_cast<llvm::IntToPtrInst>(&address);
  const auto *sum =
      cast != nullptr ? llvm::dyn_cast<llvm::BinaryOperator>(cast->getOperand(0)) : nullptr;
  const auto *base =
      sum != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
  return base != nullptr && base->getZExtValue() == CULPRIT_STAINS_BASE;
}

void stain_if_corrupt(llvm::IRBuilder<> &builder, Hooks &hooks, llvm::Value *address,
                      llvm::Value *size, llvm::Value *any) {
  if (llvm::isa<llvm::Constant>(any))
    return;
  llvm::Instruction *here = &*builder.GetInsertPoint();
  const llvm::DebugLoc location = builder.getCurrentDebugLocation();
  llvm::Instruction *cold = llvm::SplitBlockAndInsertIfThen(
      builder.CreateICmpSLT(any, builder.getInt64(0)), here, /*Unreachable=*/false,
      llvm::MDBuilder(builder.getContext()).createUnlikelyBranchWeights());
  llvm::IRBuilder<> in_cold(cold);
  in_cold.SetCurrentDebugLocation(location);
  hooks.call(in_cold, Hooks::stain, {address, size});
  builder.SetInsertPoint(here);
  builder.SetCurrentDebugLocation(location);
}

void copy_stain(llvm::IRBuilder<> &builder, llvm::Value *to, llvm::Value *from, uint64_t size) {
  assert(size <= CULPRIT_STAIN_REACH && "one stain tells of it");
  llvm::Value *stain = builder.CreateLoad(builder.getInt8Ty(), stain_of(builder, from));
  // It lies in two stretches at most, with what reaches into it.
  static_assert(2 * CULPRIT_STAIN_REACH < 1 << CULPRIT_STRETCH_SHIFT);
  for (const int64_t offset : {-int64_t{CULPRIT_STAIN_REACH}, static_cast<int64_t>(size) - 1}) {
    llvm::Value *at = stain_of(builder, builder.CreatePtrAdd(to, builder.getInt64(offset)));
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt8Ty(), at), stain), at);
  }
}

} // namespace culprit
