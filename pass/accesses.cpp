// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/accesses.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace culprit {

namespace {

using Accesses = llvm::SmallVector<Access, 2>;

bool is_watched_space(const llvm::Value *address) {
  return address->getType()->getScalarType()->getPointerAddressSpace() == 0;
}

void add_known(Accesses &accesses, llvm::Instruction &at, llvm::Value *address, llvm::Type *type,
               llvm::Align alignment, bool is_read, const llvm::DataLayout &layout) {
  const llvm::TypeSize size = layout.getTypeStoreSize(type);
  if (size.isScalable() || size.getFixedValue() == 0 || !is_watched_space(address))
    return;
  alignment = std::max(alignment, llvm::getKnownAlignment(address, layout, &at));
  accesses.push_back({&at, &at, address, nullptr, nullptr, size, alignment, is_read});
}

void add_range(Accesses &accesses, llvm::Instruction &at, llvm::Value *address, llvm::Value *length,
               llvm::Align alignment, bool is_read) {
  if (!is_watched_space(address))
    return;
  if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(length)) {
    if (!known->isZero())
      accesses.push_back(
          {&at, &at, address, nullptr, nullptr, known->getZExtValue(), alignment, is_read});
    return;
  }
  accesses.push_back({&at, &at, address, length, nullptr, 0, alignment, is_read});
}

void add_lanes(Accesses &accesses, llvm::IntrinsicInst &at, unsigned address, unsigned mask,
               llvm::Type *type, bool is_read, const llvm::DataLayout &layout) {
  const auto *lanes = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (lanes == nullptr || !is_watched_space(at.getArgOperand(address)))
    return;
  accesses.push_back({&at, &at, at.getArgOperand(address), nullptr, at.getArgOperand(mask),
                      layout.getTypeStoreSize(lanes->getElementType()), llvm::Align(1), is_read});
}

void add_intrinsic(Accesses &accesses, llvm::IntrinsicInst &at, const llvm::DataLayout &layout) {
  if (auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&at)) {
    add_range(accesses, at, memory->getRawDest(), memory->getLength(),
              memory->getDestAlign().valueOrOne(), false);
    if (auto *transfer = llvm::dyn_cast<llvm::AnyMemTransferInst>(&at))
      add_range(accesses, at, transfer->getRawSource(), transfer->getLength(),
                transfer->getSourceAlign().valueOrOne(), true);
    return;
  }
  switch (at.getIntrinsicID()) {
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::masked_scatter:
    return add_lanes(accesses, at, 1, 3, at.getArgOperand(0)->getType(), false, layout);
  case llvm::Intrinsic::vp_store:
  case llvm::Intrinsic::vp_scatter:
    return add_lanes(accesses, at, 1, 2, at.getArgOperand(0)->getType(), false, layout);
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_gather:
    return add_lanes(accesses, at, 0, 2, at.getType(), true, layout);
  case llvm::Intrinsic::vp_load:
  case llvm::Intrinsic::vp_gather:
    return add_lanes(accesses, at, 0, 1, at.getType(), true, layout);
  default:
    return;
  }
}

} // namespace

llvm::SmallVector<Access, 2> accesses_of(llvm::Instruction &instruction,
                                         const llvm::DataLayout &layout) {
  Accesses accesses;
  if (instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize))
    return accesses; // ours, or a sanitizer's
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    add_known(accesses, instruction, store->getPointerOperand(),
              store->getValueOperand()->getType(), store->getAlign(), false, layout);
  } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    add_known(accesses, instruction, load->getPointerOperand(), load->getType(), load->getAlign(),
              true, layout);
  } else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    for (const bool is_read : {false, true})
      add_known(accesses, instruction, update->getPointerOperand(),
                update->getValOperand()->getType(), update->getAlign(), is_read, layout);
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    for (const bool is_read : {false, true})
      add_known(accesses, instruction, exchange->getPointerOperand(),
                exchange->getNewValOperand()->getType(), exchange->getAlign(), is_read, layout);
  } else if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    add_intrinsic(accesses, *intrinsic, layout);
  }
  return accesses;
}

AccessType type_of(const llvm::Instruction &access) {
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag == nullptr || tag->getNumOperands() < 3)
    return AccessType::unknown;
  return tag->getOperand(0) == tag->getOperand(1) ? AccessType::whole : AccessType::member;
}

bool is_direct(const Access &access, const llvm::DataLayout &layout) {
  if (access.mask != nullptr || access.length != nullptr)
    return false;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(access.address->getType()), 0);
  const llvm::Value *base =
      access.address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  if (const auto *local = llvm::dyn_cast<llvm::IntrinsicInst>(base);
      local != nullptr && local->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
    base = local->getArgOperand(0);
  uint64_t size = 0;
  if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    if (!global->getValueType()->isSized())
      return false;
    size = layout.getTypeAllocSize(global->getValueType());
  } else if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    const auto known = variable->getAllocationSize(layout);
    if (!known || known->isScalable())
      return false;
    size = known->getFixedValue();
  } else if (const auto *argument = llvm::dyn_cast<llvm::Argument>(base);
             argument != nullptr && argument->hasByValAttr()) {
    size = layout.getTypeAllocSize(argument->getParamByValType());
  } else {
    return false;
  }
  const int64_t first = offset.getSExtValue();
  return first >= 0 && static_cast<uint64_t>(first) <= size &&
         access.size <= size - static_cast<uint64_t>(first);
}

} // namespace culprit
