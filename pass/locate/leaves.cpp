// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/leaves.h"

#include "abi/locate.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <climits>

namespace culprit {

namespace {

class Collector {
public:
  void add(llvm::Value *value, llvm::StringRef role) {
    if (llvm::isa<llvm::Constant, llvm::AllocaInst, llvm::BasicBlock, llvm::MetadataAsValue,
                  llvm::InlineAsm>(value) ||
        leaves_.size() == CULPRIT_LEAVES || !seen_.insert(value).second)
      return;
    // A copy that the caller made is a variable of ours.
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value);
        argument != nullptr && argument->hasByValAttr())
      return;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || !is_computed(*instruction)) {
      // The difference of two pointers is an index, but they are none.
      const bool is_pointer = role == "index" && value->getType()->isPointerTy();
      leaves_.push_back({value, is_pointer ? "base" : role});
      return;
    }
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      const bool is_address = role == "pointer" || role == "base";
      add(address->getPointerOperand(),
          is_address && !address->hasAllZeroIndices() ? "base" : role);
      for (llvm::Value *index : address->indices())
        add(index, is_address ? "index" : role);
      return;
    }
    const bool is_sum = llvm::isa<llvm::BinaryOperator>(instruction) && role == "pointer";
    for (llvm::Value *operand : instruction->operands())
      add(operand, is_sum ? "base" : role);
  }

  llvm::SmallVector<Leaf, 4> take() { return std::move(leaves_); }

private:
  llvm::SmallVector<Leaf, 4> leaves_;
  llvm::SmallPtrSet<llvm::Value *, 8> seen_;
};

bool is_copy(const llvm::Value *value, llvm::SmallPtrSetImpl<const llvm::Value *> &seen,
             bool at_top) {
  if (!seen.insert(value).second)
    return true;
  if (llvm::isa<llvm::Constant, llvm::AllocaInst>(value))
    return !at_top; // an input of a phi or select: handed on with a definition of its own
  if (llvm::isa<llvm::Argument, llvm::LoadInst, llvm::ExtractValueInst, llvm::LandingPadInst,
                llvm::VAArgInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value))
    return true;
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(value))
    return !is_computed(*call);
  if (llvm::isa<llvm::CastInst, llvm::FreezeInst>(value))
    return is_copy(llvm::cast<llvm::Instruction>(value)->getOperand(0), seen, at_top);
  if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(value))
    return is_copy(select->getTrueValue(), seen, false) &&
           is_copy(select->getFalseValue(), seen, false);
  if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(value))
    return llvm::all_of(phi->incoming_values(),
                        [&](const llvm::Value *input) { return is_copy(input, seen, false); });
  return false;
}

} // namespace

bool is_computed(const llvm::Instruction &instruction) {
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return intrinsic->doesNotAccessMemory() && !intrinsic->getType()->isVoidTy();
  return llvm::isa<llvm::UnaryOperator, llvm::BinaryOperator, llvm::CmpInst, llvm::CastInst,
                   llvm::GetElementPtrInst, llvm::FreezeInst, llvm::ExtractValueInst,
                   llvm::InsertValueInst, llvm::ExtractElementInst, llvm::InsertElementInst,
                   llvm::ShuffleVectorInst>(instruction);
}

llvm::SmallVector<Leaf, 4> leaves_of(llvm::Value *value, llvm::StringRef role) {
  Collector collector;
  collector.add(value, role);
  return collector.take();
}

llvm::SmallVector<Leaf, 4> leaves_of_address(llvm::Value *address) {
  return leaves_of(address, "pointer");
}

bool has_leaves(llvm::Value *value) { return !leaves_of(value, "").empty(); }

bool is_copy(const llvm::Value *value) {
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  return is_copy(value, seen, true);
}

bool is_part(const llvm::Value *value) {
  const auto is_narrow = [](const llvm::Type *type) {
    const unsigned bits = type->getPrimitiveSizeInBits().getKnownMinValue();
    return bits != 0 && bits < CULPRIT_CELL_BYTES * CHAR_BIT;
  };
  while (!is_narrow(value->getType())) {
    const auto *cast = llvm::dyn_cast<llvm::CastInst>(value);
    if (cast == nullptr)
      return false;
    value = cast->getOperand(0);
  }
  return true;
}

} // namespace culprit
