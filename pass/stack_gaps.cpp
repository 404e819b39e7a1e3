// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/stack_gaps.h"

#include "abi/access.h"
#include "pass/arrays.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace culprit {

namespace {

constexpr uint64_t kSmallestGap = 8; // a pointer behind the end is the largest common first step

// Is the size of an object asked for, and not answered yet? The answer must be the variable's.
bool asks_for_sizes(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::objectsize;
  });
}

// By at least `smallest` bytes, to the end of a granule. Returns the bytes that the alloca has now
// behind those it had.
uint64_t widen(llvm::AllocaInst &place, uint64_t size, uint64_t smallest) {
  const uint64_t gap = llvm::alignTo(size + smallest, CULPRIT_GRANULE) - size;
  if (gap == 0)
    return 0;
  const llvm::DataLayout &layout = place.getModule()->getDataLayout();
  llvm::Type *type = place.getAllocatedType();
  if (place.isArrayAllocation())
    type = llvm::ArrayType::get(
        type, llvm::cast<llvm::ConstantInt>(place.getArraySize())->getZExtValue());
  // Of pairs of bytes, which end where bytes would: an array of bytes may put a stack protector
  // into a function that has none.
  llvm::Type *pair = llvm::Type::getInt16Ty(place.getContext());
  llvm::Type *wide = llvm::StructType::get(type, llvm::ArrayType::get(pair, gap / 2));
  place.setAllocatedType(wide);
  place.setOperand(0, llvm::ConstantInt::get(place.getArraySize()->getType(), 1));
  const uint64_t whole = layout.getTypeAllocSize(wide).getFixedValue();
  for (llvm::User *user : place.users())
    if (auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        marker != nullptr && marker->isLifetimeStartOrEnd())
      marker->setArgOperand(0, llvm::ConstantInt::get(marker->getArgOperand(0)->getType(), whole));
  return whole - size;
}

} // namespace

void add_stack_gaps(llvm::Function &function, std::vector<WatchedLocal> &locals, bool own) {
  if (locals.empty() || asks_for_sizes(function))
    return;
  for (WatchedLocal &local : locals) {
    const bool is_array =
        local.place->isArrayAllocation() || has_array(*local.place->getAllocatedType());
    if (!local.place->isStaticAlloca() || (!is_array && !own))
      continue;
    local.gap = widen(*local.place, local.variable.size, is_array ? kSmallestGap : 0);
    if (!own || (local.variable.size + local.gap) % CULPRIT_GRANULE != 0)
      continue;
    local.place->setAlignment(std::max(local.place->getAlign(), llvm::Align(CULPRIT_GRANULE)));
    local.owns_granules = true;
  }
}

Variable gap_behind(const WatchedLocal &local) {
  Variable gap = local.variable;
  gap.kind = VariableKind::outside;
  gap.size = local.gap;
  gap.type.clear();
  gap.layout = 0;
  return gap;
}

} // namespace culprit
