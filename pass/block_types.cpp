// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/block_types.h"
#include "pass/debug_types.h"
#include "pass/kept_in.h"
#include "pass/source_place.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace culprit {

namespace {

// T of std::__new_allocator<T>::allocate, through which all containers allocate.
std::string allocated_by_container(llvm::StringRef function) {
  if (!function.starts_with("_ZNSt15__new_allocatorI") &&
      !function.starts_with("_ZN9__gnu_cxx13new_allocatorI"))
    return "";
  const std::string demangled = llvm::demangle(function);
  const llvm::StringRef text = demangled;
  const size_t begin = text.find("new_allocator<");
  const size_t end = text.rfind(">::allocate");
  if (begin == llvm::StringRef::npos || end == llvm::StringRef::npos)
    return "";
  return text.slice(text.find('<', begin) + 1, end).str();
}

// What the function that stands here returns a pointer to. (Its class, and with it the template's
// argument, may be known by name only.)
const llvm::DIType *returned_pointee(const llvm::DILocation &location) {
  const llvm::DISubroutineType *type = location.getScope()->getSubprogram()->getType();
  if (type == nullptr || type->getTypeArray().size() == 0)
    return nullptr;
  return pointee(type->getTypeArray()[0]);
}

class Levels {
public:
  Levels(const ContextCall &call, SiteTable &sites) : call_(call), sites_(sites) {}

  // `location`: where the witness stands. `debug_type`: null if it knows but the name.
  void witness(const llvm::DILocation *location, const std::string &type,
               const llvm::DIType *debug_type) {
    for (const ContextLevel &level : call_.levels) {
      const bool is_here =
          location != nullptr && level.location != nullptr &&
          location->getInlinedAt() == level.location->getInlinedAt() &&
          location->getScope()->getSubprogram() == level.location->getScope()->getSubprogram();
      if (!is_here)
        continue;
      if (sites_[level.site].type.empty()) {
        sites_[level.site].type = type;
        sites_[level.site].debug_type = debug_type;
      }
      return;
    }
  }

private:
  const ContextCall &call_;
  SiteTable &sites_;
};

// The struct whose first byte is `distance` bytes before the accessed one.
std::string accessed_struct(const llvm::Instruction &access, int64_t distance) {
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  if (tag == nullptr || tag->getNumOperands() < 3)
    return "";
  const auto *type = llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(0));
  const auto *offset = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(tag->getOperand(2));
  if (type == nullptr || offset == nullptr || offset->getSExtValue() != distance ||
      tag->getOperand(0) == tag->getOperand(1) || type->getNumOperands() == 0)
    return "";
  const auto *name = llvm::dyn_cast_or_null<llvm::MDString>(type->getOperand(0));
  if (name == nullptr)
    return "";
  // C++ types go by their mangled names: _ZTS4node. Only the simple ones are taken apart.
  llvm::StringRef plain = name->getString();
  unsigned length = 0;
  if (plain.consume_front("_ZTS") && (plain.consumeInteger(10, length) || plain.size() != length))
    return "";
  return plain.str();
}

void ask_accesses(const llvm::Value &pointer, int64_t distance, Levels &levels,
                  const llvm::DataLayout &layout) {
  for (const llvm::User *user : pointer.users()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction == nullptr)
      continue;
    if (llvm::getLoadStorePointerOperand(instruction) == &pointer) {
      const std::string type = accessed_struct(*instruction, distance);
      if (!type.empty())
        levels.witness(instruction->getDebugLoc().get(), type, nullptr);
    }
    const auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction);
    llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
    if (step != nullptr && distance == 0 && step->accumulateConstantOffset(layout, offset))
      ask_accesses(*step, offset.getSExtValue(), levels, layout);
  }
}

void ask_keepers(const llvm::CallBase &call, Levels &levels, const RecordTypes &types) {
  for (const llvm::User *user : call.users())
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
        store != nullptr && store->getValueOperand() == &call)
      if (const llvm::DIType *type = pointee_kept_in(*store, types))
        if (const std::string name = name_of(type); !name.empty())
          levels.witness(store->getDebugLoc().get(), name, type);
}

} // namespace

void name_block_types(const ContextCall &call, SiteTable &sites, const RecordTypes &types) {
  Levels levels(call, sites);
  if (const llvm::DILocation *location = call.call->getDebugLoc().get())
    if (const std::string type = allocated_by_container(function_at(*location)); !type.empty())
      levels.witness(location, type, returned_pointee(*location));
  if (const auto *type =
          llvm::dyn_cast_or_null<llvm::DIType>(call.call->getMetadata("heapallocsite")))
    levels.witness(call.call->getDebugLoc().get(), name_of(type), type);
  if (!call.call->getType()->isPointerTy())
    return;
  llvm::SmallVector<llvm::DbgValueInst *> instructions;
  llvm::SmallVector<llvm::DbgVariableRecord *> records;
  llvm::findDbgValues(instructions, call.call, &records);
  for (const llvm::DbgVariableRecord *record : records) {
    // An expression would say that the variable holds something else than the result.
    if (record->getExpression()->getNumElements() != 0)
      continue;
    const llvm::DIType *type = pointee(record->getVariable()->getType());
    if (const std::string name = name_of(type); !name.empty())
      levels.witness(record->getDebugLoc().get(), name, type);
  }
  ask_accesses(*call.call, 0, levels, call.call->getModule()->getDataLayout());
  ask_keepers(*call.call, levels, types);
}

} // namespace culprit
