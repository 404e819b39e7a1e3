// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/new_types.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace culprit {

namespace {

constexpr llvm::StringLiteral kAttribute = "culprit-new-type";
constexpr llvm::StringLiteral kTable = "culprit.new_types";
constexpr llvm::StringLiteral kMetadata = "heapallocsite";

// The same in all source files for the same type of C++; others have a name and a place.
std::string key_of(const llvm::DIType &type) {
  const auto *record = llvm::dyn_cast<llvm::DICompositeType>(&type);
  if (record != nullptr && !record->getIdentifier().empty())
    return record->getIdentifier().str();
  return (type.getName() + "@" + type.getFilename() + ":" + llvm::Twine(type.getLine())).str();
}

} // namespace

void keep_new_types(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::StringMap<llvm::DIType *> types;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      auto *type = call == nullptr
                       ? nullptr
                       : llvm::dyn_cast_or_null<llvm::DIType>(call->getMetadata(kMetadata));
      if (type == nullptr)
        continue;
      const std::string key = key_of(*type);
      call->addFnAttr(llvm::Attribute::get(context, kAttribute, key));
      if (types.try_emplace(key, type).second)
        module.getOrInsertNamedMetadata(kTable)->addOperand(
            llvm::MDNode::get(context, {llvm::MDString::get(context, key), type}));
    }
}

void restore_new_types(llvm::Module &module) {
  llvm::NamedMDNode *table = module.getNamedMetadata(kTable);
  if (table == nullptr)
    return;
  llvm::StringMap<llvm::DIType *> types;
  for (const llvm::MDNode *entry : table->operands())
    if (entry->getNumOperands() == 2)
      if (const auto *key = llvm::dyn_cast_or_null<llvm::MDString>(entry->getOperand(0)))
        types.try_emplace(key->getString(),
                          llvm::dyn_cast_or_null<llvm::DIType>(entry->getOperand(1)));
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr)
        continue;
      const llvm::Attribute key = call->getFnAttr(kAttribute);
      if (!key.isStringAttribute())
        continue;
      if (llvm::DIType *type = types.lookup(key.getValueAsString()))
        call->setMetadata(kMetadata, type);
      call->removeFnAttr(kAttribute);
    }
  table->eraseFromParent();
}

} // namespace culprit
