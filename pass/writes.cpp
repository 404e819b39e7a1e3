// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/writes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

namespace culprit {

namespace {

constexpr uint64_t kPointerSize = 8;
constexpr uint64_t kHalfPointer = 4;

// The name of the accessed scalar type in the instruction's TBAA tag; empty if there is none.
llvm::StringRef accessed_type(const llvm::Instruction &instruction) {
  const llvm::MDNode *tag = instruction.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag == nullptr || tag->getNumOperands() < 2)
    return "";
  // Struct-path tag: (base type, access type, offset). The old scalar form is (name, parent).
  const auto *type = llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(1));
  if (type == nullptr || !llvm::isa_and_nonnull<llvm::MDNode>(tag->getOperand(0)))
    type = tag;
  for (const llvm::MDOperand &operand : type->operands())
    if (const auto *name = llvm::dyn_cast_or_null<llvm::MDString>(operand))
      return name->getString();
  return "";
}

bool holds_no_pointer(llvm::StringRef type) {
  return llvm::StringSwitch<bool>(type)
      .Cases("double", "float", "long double", "__float128", "_Float16", "__bf16", true)
      .Cases("int", "short", "bool", "_Bool", "wchar_t", "char16_t", "char32_t", true)
      .Default(false);
}

bool matters(const llvm::Instruction &instruction, uint64_t size) {
  if (size < kHalfPointer)
    return false;
  const llvm::StringRef type = accessed_type(instruction);
  if (size < kPointerSize)
    return type.empty() || type == "omnipotent char";
  return !holds_no_pointer(type);
}

bool is_heap_address(const llvm::Value *address) {
  return address->getType()->isPointerTy() && address->getType()->getPointerAddressSpace() == 0 &&
         !is_outside_heap(address);
}

std::optional<Write> known_write(llvm::Instruction &instruction, llvm::Value *address,
                                 llvm::Type *type, llvm::Align alignment,
                                 const llvm::DataLayout &layout) {
  const llvm::TypeSize size = layout.getTypeStoreSize(type);
  if (size.isScalable() || !is_heap_address(address) || !matters(instruction, size))
    return std::nullopt;
  return Write{&instruction, address, nullptr, size, alignment};
}

std::optional<Write> memory_write(llvm::AnyMemIntrinsic &intrinsic) {
  llvm::Value *address = intrinsic.getRawDest();
  if (!is_heap_address(address))
    return std::nullopt;
  const llvm::Align alignment = intrinsic.getDestAlign().valueOrOne();
  if (const auto *length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength())) {
    if (length->getZExtValue() < kPointerSize)
      return std::nullopt;
    return Write{&intrinsic, address, nullptr, length->getZExtValue(), alignment};
  }
  return Write{&intrinsic, address, intrinsic.getLength(), 0, alignment};
}

std::optional<Write> intrinsic_write(llvm::IntrinsicInst &intrinsic,
                                     const llvm::DataLayout &layout) {
  if (auto *memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&intrinsic))
    return memory_write(*memory);
  switch (intrinsic.getIntrinsicID()) {
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::masked_compressstore:
  case llvm::Intrinsic::vp_store:
    // Lanes that are masked out are marked too: a mark too many costs a look, no more.
    return known_write(intrinsic, intrinsic.getArgOperand(1), intrinsic.getArgOperand(0)->getType(),
                       llvm::Align(1), layout);
  case llvm::Intrinsic::masked_scatter:
  case llvm::Intrinsic::vp_scatter: {
    llvm::Value *addresses = intrinsic.getArgOperand(1);
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(addresses->getType());
    const auto *values = llvm::cast<llvm::VectorType>(intrinsic.getArgOperand(0)->getType());
    const llvm::TypeSize size = layout.getTypeStoreSize(values->getElementType());
    if (vector == nullptr || vector->getPointerAddressSpace() != 0 || !matters(intrinsic, size))
      return std::nullopt;
    return Write{&intrinsic, addresses, nullptr, size, llvm::Align(1)};
  }
  default:
    return std::nullopt;
  }
}

} // namespace

bool is_outside_heap(const llvm::Value *address) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(address, objects);
  return llvm::all_of(objects, [](const llvm::Value *object) {
    if (llvm::isa<llvm::AllocaInst>(object) || llvm::isa<llvm::GlobalValue>(object) ||
        llvm::isa<llvm::ConstantPointerNull>(object) || llvm::isa<llvm::UndefValue>(object))
      return true;
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(object))
      return argument->hasByValAttr();
    const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(object);
    return intrinsic != nullptr &&
           intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address;
  });
}

std::optional<Write> heap_write(llvm::Instruction &instruction, const llvm::DataLayout &layout) {
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return known_write(instruction, store->getPointerOperand(), store->getValueOperand()->getType(),
                       store->getAlign(), layout);
  // Atomic updates of four bytes are counters and locks.
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    llvm::Type *type = update->getValOperand()->getType();
    if (layout.getTypeStoreSize(type) < kPointerSize)
      return std::nullopt;
    return known_write(instruction, update->getPointerOperand(), type, update->getAlign(), layout);
  }
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    llvm::Type *type = exchange->getNewValOperand()->getType();
    if (layout.getTypeStoreSize(type) < kPointerSize)
      return std::nullopt;
    return known_write(instruction, exchange->getPointerOperand(), type, exchange->getAlign(),
                       layout);
  }
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return intrinsic_write(*intrinsic, layout);
  return std::nullopt;
}

} // namespace culprit
