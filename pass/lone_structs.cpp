// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/lone_structs.h"

#include "pass/debug_types.h"
#include "pass/fresh_blocks.h"
#include "pass/wrappers.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace culprit {

namespace {

// The member or base class that lies behind all others; null: there is none.
const llvm::DIDerivedType *last_part(const llvm::DICompositeType &record) {
  const llvm::DIDerivedType *last = nullptr;
  for (const llvm::DINode *element : record.getElements()) {
    const auto *part = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (part == nullptr || part->isStaticMember() ||
        (part->getTag() != llvm::dwarf::DW_TAG_member &&
         part->getTag() != llvm::dwarf::DW_TAG_inheritance))
      continue;
    if (last == nullptr || part->getOffsetInBits() >= last->getOffsetInBits())
      last = part;
  }
  return last;
}

// Can it be said that the type does not end in an array?
bool ends_in_scalar(const llvm::DIType *type) {
  if (array_element(type) != nullptr)
    return false;
  const llvm::DICompositeType *record = as_record(type);
  if (record == nullptr)
    return true;
  if (record->isForwardDecl() || record->getTag() == llvm::dwarf::DW_TAG_union_type)
    return false;
  const llvm::DIDerivedType *last = last_part(*record);
  // Where a virtual base lies is known at run time only.
  return last != nullptr && !last->isVirtual() && ends_in_scalar(last->getBaseType());
}

} // namespace

bool is_lone_struct(const ContextCall &call, SiteTable &sites, const RecordTypes &types,
                    const Wrappers &wrappers) {
  const auto size = constant_request(*call.call);
  if (!size)
    return false;
  for (const ContextLevel &level : call.levels) {
    const Site &site = sites[level.site];
    if (site.kind != SiteKind::alloc && !wrappers.is_wrapper(site.callee))
      return false; // what is behind it is not handed to who knows the type
    if (const llvm::DIType *type = types.of(site))
      return bytes_of(type) == *size && ends_in_scalar(type);
    if (site.debug_type != nullptr)
      return false; // something else
  }
  return false;
}

} // namespace culprit
