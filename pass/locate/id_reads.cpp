// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/id_reads.h"

#include "abi/locate.h"
#include "pass/locate/late_results.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace culprit {

namespace {

// As metadata: names may be dropped.
constexpr llvm::StringLiteral kLateRead = "culprit.late_read";
constexpr llvm::StringLiteral kSpillSlot = "culprit.spill_slot";

constexpr uint64_t kOffset = 1U << 20U; // constants that were added to a cell's address

bool is_in_shadow(const llvm::Value *number) {
  const auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(number);
  if (sum == nullptr ||
      (sum->getOpcode() != llvm::Instruction::Add && sum->getOpcode() != llvm::Instruction::Or))
    return false;
  const auto *base = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
  return base != nullptr && base->getZExtValue() - CULPRIT_SHADOW_BASE < kOffset;
}

// The load of one id: where its cell is.
struct Cell {
  const llvm::Value *base = nullptr; // null: it is something else
  int64_t offset = 0;
};

Cell cell_read(const llvm::LoadInst &load, const llvm::DataLayout &layout) {
  if (!load.isSimple() || !load.getType()->isIntegerTy(64))
    return {};
  const llvm::Value *address = load.getPointerOperand();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  address = address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const auto *cast = llvm::dyn_cast<llvm::IntToPtrInst>(address);
  if (!is_returned_cells(*address) && (cast == nullptr || !is_in_shadow(cast->getOperand(0))))
    return {};
  return {address, offset.getSExtValue()};
}

std::optional<IdRead> pair_read(llvm::IntrinsicInst &newer, const llvm::DataLayout &layout) {
  auto *one = llvm::dyn_cast<llvm::LoadInst>(newer.getArgOperand(0));
  auto *two = llvm::dyn_cast<llvm::LoadInst>(newer.getArgOperand(1));
  if (one == nullptr || two == nullptr || !one->hasOneUse() || !two->hasOneUse() ||
      one->getParent() != newer.getParent() || two->getParent() != newer.getParent())
    return std::nullopt;
  Cell low = cell_read(*one, layout);
  Cell high = cell_read(*two, layout);
  if (low.offset > high.offset) {
    std::swap(low, high);
    std::swap(one, two);
  }
  if (low.base == nullptr || low.base != high.base ||
      high.offset - low.offset != static_cast<int64_t>(sizeof(uint64_t)))
    return std::nullopt;
  const bool in_order = one->comesBefore(two);
  return IdRead{one->getPointerOperand(), in_order ? one : two, in_order ? two : one};
}

void note(llvm::Instruction &instruction, llvm::StringRef kind) {
  instruction.setMetadata(kind, llvm::MDNode::get(instruction.getContext(), {}));
}

} // namespace

IdReads find_late_id_reads(llvm::Function &function, unsigned cells) {
  IdReads reads;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      if (instruction.getMetadata(kLateRead) == nullptr)
        continue;
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (cells == 1)
          reads[load] = {load->getPointerOperand(), load, load};
      } else if (cells == 2) {
        auto *first = llvm::cast<llvm::LoadInst>(instruction.getOperand(0));
        auto *second = llvm::cast<llvm::LoadInst>(instruction.getOperand(1));
        reads[&instruction] = {first->getPointerOperand(), first, second};
      }
    }
  return reads;
}

void note_late_read(llvm::Value &id) {
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(&id))
    note(*instruction, kLateRead);
}

void note_spill_slot(llvm::AllocaInst &slot) { note(slot, kSpillSlot); }
bool is_spill_slot(const llvm::AllocaInst &slot) { return slot.getMetadata(kSpillSlot) != nullptr; }

IdReads find_id_reads(llvm::Function &function, unsigned cells) {
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  IdReads reads;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load != nullptr && cells == 1 && cell_read(*load, layout).base != nullptr)
        reads[load] = {load->getPointerOperand(), load, load};
      auto *newer = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (newer != nullptr && cells == 2 && newer->getIntrinsicID() == llvm::Intrinsic::umax)
        if (const auto found = pair_read(*newer, layout))
          reads[newer] = *found;
    }
  return reads;
}

llvm::Value *read_id(llvm::IRBuilder<> &builder, llvm::Value *cells, unsigned count) {
  const llvm::Align alignment(sizeof(uint64_t));
  llvm::Value *id = builder.CreateAlignedLoad(builder.getInt64Ty(), cells, alignment);
  if (count == 1)
    return id;
  llvm::Value *second = builder.CreateConstGEP1_64(builder.getInt64Ty(), cells, 1);
  return builder.CreateBinaryIntrinsic(
      llvm::Intrinsic::umax, id,
      builder.CreateAlignedLoad(builder.getInt64Ty(), second, alignment));
}

} // namespace culprit
