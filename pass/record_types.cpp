// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/record_types.h"

#include "pass/debug_types.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace culprit {

RecordTypes::RecordTypes(const llvm::Module &module) {
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  for (const llvm::DIType *type : finder.types()) {
    const llvm::DICompositeType *record = as_record(type);
    if (record != type || record->getName().empty() || record->isForwardDecl())
      continue;
    if (!record->getIdentifier().empty())
      by_identifier_.try_emplace(record->getIdentifier(), record);
    const auto [known, is_new] = by_name_.try_emplace(record->getName(), record);
    // C has a node for each source file that includes the type.
    if (!is_new && known->second != nullptr &&
        (known->second->getSizeInBits() != record->getSizeInBits() ||
         !record->getIdentifier().empty()))
      known->second = nullptr;
  }
}

const llvm::DIType *RecordTypes::by_alias_name(llvm::StringRef name) const {
  const llvm::DIType *type = by_identifier_.lookup(name);
  return type != nullptr ? type : by_name_.lookup(name);
}

const llvm::DIType *RecordTypes::of(const Site &site) const {
  const llvm::DIType *type =
      site.debug_type != nullptr ? site.debug_type : by_name_.lookup(site.type);
  return as_record(type) != nullptr ? type : nullptr;
}

} // namespace culprit
