// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/register_records.h"

#include "abi/locate.h"
#include "pass/locate/id_parameters.h"
#include "pass/locate/records.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace culprit {

namespace {

constexpr unsigned kMostMembers = 4;

llvm::StructType *record_type(llvm::Type *type, const llvm::DataLayout &layout) {
  auto *record = llvm::dyn_cast<llvm::StructType>(type);
  if (record == nullptr || record->isPacked() || record->getNumElements() < 2 ||
      record->getNumElements() > kMostMembers)
    return nullptr;
  for (llvm::Type *member : record->elements())
    if (!(member->isIntegerTy() || member->isPointerTy() || member->isFloatingPointTy()) ||
        layout.getTypeStoreSize(member).getFixedValue() < CULPRIT_CELL_BYTES)
      return nullptr;
  return record;
}

struct Place {
  llvm::Value *address;
  llvm::Align alignment;
};

Place member_at(llvm::IRBuilder<> &builder, const llvm::DataLayout &layout,
                llvm::StructType *record, llvm::Value *address, llvm::Align alignment,
                unsigned number) {
  const uint64_t offset = layout.getStructLayout(record)->getElementOffset(number).getFixedValue();
  return {builder.CreateStructGEP(record, address, number),
          llvm::commonAlignment(alignment, offset)};
}

llvm::Value *load_apart(llvm::IRBuilder<> &builder, const llvm::DataLayout &layout,
                        llvm::StructType *record, llvm::Value *address, llvm::Align alignment) {
  llvm::Value *all = llvm::PoisonValue::get(record);
  for (unsigned i = 0; i < record->getNumElements(); ++i) {
    const Place place = member_at(builder, layout, record, address, alignment, i);
    all = builder.CreateInsertValue(
        all, builder.CreateAlignedLoad(record->getElementType(i), place.address, place.alignment),
        i);
  }
  return all;
}

void store_apart(llvm::IRBuilder<> &builder, const llvm::DataLayout &layout,
                 llvm::StructType *record, llvm::Value *value, llvm::Value *address,
                 llvm::Align alignment) {
  for (unsigned i = 0; i < record->getNumElements(); ++i) {
    llvm::Value *member = llvm::FindInsertedValue(value, i);
    if (member == nullptr)
      member = builder.CreateExtractValue(value, i);
    const Place place = member_at(builder, layout, record, address, alignment, i);
    builder.CreateAlignedStore(member, place.address, place.alignment);
  }
}

void split_accesses(llvm::Function &function, const llvm::DataLayout &layout) {
  llvm::SmallVector<llvm::LoadInst *, 8> loads;
  llvm::SmallVector<llvm::StoreInst *, 8> stores;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        load != nullptr && load->isSimple() && record_type(load->getType(), layout) != nullptr)
      loads.push_back(load);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store != nullptr && store->isSimple() &&
        record_type(store->getValueOperand()->getType(), layout) != nullptr)
      stores.push_back(store);
  }
  for (llvm::LoadInst *load : loads) {
    llvm::IRBuilder<> builder(load);
    load->replaceAllUsesWith(load_apart(builder, layout, record_type(load->getType(), layout),
                                        load->getPointerOperand(), load->getAlign()));
    load->eraseFromParent();
  }
  for (llvm::StoreInst *store : stores) {
    llvm::IRBuilder<> builder(store);
    llvm::Value *value = store->getValueOperand();
    store_apart(builder, layout, record_type(value->getType(), layout), value,
                store->getPointerOperand(), store->getAlign());
    store->eraseFromParent();
  }
}

void split_result(llvm::Function &function, const llvm::DataLayout &layout) {
  llvm::StructType *record = record_type(function.getReturnType(), layout);
  if (record == nullptr || function.hasFnAttribute(kRecordResult) ||
      !passes_ids_in_registers(function))
    return;
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::AllocaInst *room = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(record);
  room->setMetadata(kRecordRoom, llvm::MDNode::get(function.getContext(), {}));
  function.addFnAttr(kRecordResult);
  for (llvm::BasicBlock &block : function) {
    auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (end == nullptr)
      continue;
    llvm::IRBuilder<> builder(end);
    store_apart(builder, layout, record, end->getReturnValue(), room, room->getAlign());
    end->setOperand(0, load_apart(builder, layout, record, room, room->getAlign()));
  }
}

} // namespace

void take_register_records_apart(llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      split_accesses(function, layout);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      split_result(function, layout);
}

} // namespace culprit
