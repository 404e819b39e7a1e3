// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/kept_in.h"

#include "pass/debug_types.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"

namespace culprit {

namespace {

constexpr unsigned kMaxNesting = 8;

// What lies at this byte of the type, down to what is neither struct nor array; null for what may
// be one of several (unions) and for what is no beginning. `steps`: multiples of these come on top
// of the offset, by indices that are not known; each must be one of an array's elements.
const llvm::DIType *scalar_at(const llvm::DIType *type, uint64_t offset,
                              llvm::SmallVector<uint64_t, 2> steps = {}, unsigned nesting = 0) {
  if (type == nullptr || nesting == kMaxNesting)
    return nullptr;
  if (const llvm::DIType *element = array_element(type)) {
    const uint64_t size = bytes_of(element);
    if (size == 0)
      return nullptr;
    llvm::erase_if(steps, [&](uint64_t step) { return step % size == 0; });
    return scalar_at(element, offset % size, std::move(steps), nesting + 1);
  }
  const llvm::DICompositeType *record = as_record(type);
  if (record == nullptr)
    return offset == 0 && steps.empty() ? type : nullptr;
  if (record->getTag() == llvm::dwarf::DW_TAG_union_type)
    return nullptr;
  for (const llvm::DINode *element : record->getElements()) {
    const auto *part = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (part == nullptr || part->isStaticMember() || part->isBitField() || part->isVirtual() ||
        (part->getTag() != llvm::dwarf::DW_TAG_member &&
         part->getTag() != llvm::dwarf::DW_TAG_inheritance))
      continue;
    const uint64_t start = part->getOffsetInBits() / 8;
    const uint64_t size = bytes_of(part->getBaseType());
    if (offset >= start && offset - start < size)
      return scalar_at(part->getBaseType(), offset - start, std::move(steps), nesting + 1);
  }
  return nullptr;
}

const llvm::DIType *kept_in_global(const llvm::StoreInst &store) {
  const llvm::DataLayout &layout = store.getModule()->getDataLayout();
  const unsigned bits = layout.getIndexTypeSizeInBits(store.getPointerOperandType());
  llvm::APInt offset(bits, 0);
  llvm::MapVector<llvm::Value *, llvm::APInt> indices;
  const llvm::Value *base = store.getPointerOperand()->stripPointerCasts();
  while (const auto *address = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    if (!address->collectOffset(layout, bits, indices, offset))
      return nullptr;
    base = address->getPointerOperand()->stripPointerCasts();
  }
  const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(base);
  if (global == nullptr || offset.isNegative())
    return nullptr;
  llvm::SmallVector<uint64_t, 2> steps;
  for (const auto &[index, scale] : indices)
    steps.push_back(scale.getZExtValue());
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> found;
  global->getDebugInfo(found);
  // Of one that the optimiser took apart, an expression says which part it is.
  if (found.empty() || found.front()->getExpression()->getNumElements() != 0)
    return nullptr;
  return scalar_at(found.front()->getVariable()->getType(), offset.getZExtValue(),
                   std::move(steps));
}

// By what TBAA says: the struct that the expression starts from, and how far into it.
const llvm::DIType *kept_in_member(const llvm::StoreInst &store, const RecordTypes &types) {
  const llvm::MDNode *tag = store.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag == nullptr || tag->getNumOperands() < 3 || tag->getOperand(0) == tag->getOperand(1))
    return nullptr;
  const auto *type = llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(0));
  const auto *offset = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(tag->getOperand(2));
  if (type == nullptr || offset == nullptr || type->getNumOperands() == 0)
    return nullptr;
  const auto *name = llvm::dyn_cast_or_null<llvm::MDString>(type->getOperand(0));
  return name == nullptr
             ? nullptr
             : scalar_at(types.by_alias_name(name->getString()), offset->getZExtValue());
}

} // namespace

const llvm::DIType *pointee_kept_in(const llvm::StoreInst &store, const RecordTypes &types) {
  if (const llvm::DIType *type = kept_in_global(store))
    return pointee(type);
  return pointee(kept_in_member(store, types));
}

} // namespace culprit
