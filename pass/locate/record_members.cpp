// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/locate/record_members.h"

#include "abi/locate.h"

#include "llvm/IR/DerivedTypes.h"

namespace culprit {

namespace {

// False: it has members that share cells, or none that are known.
bool add_members(Members &members, llvm::Type *type, uint64_t offset,
                 const llvm::DataLayout &layout) {
  if (members.size() > kMembers)
    return false;
  if (auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
    if (record->isOpaque())
      return false;
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (!add_members(members, record->getElementType(i),
                       offset + layout.getStructLayout(record)->getElementOffset(i), layout))
        return false;
    return true;
  }
  const bool is_whole = type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy() ||
                        type->isDoubleTy() ||
                        (type->isPointerTy() && type->getPointerAddressSpace() == 0);
  if (!is_whole || offset % CULPRIT_CELL_BYTES != 0)
    return false;
  members.push_back({type, offset});
  return members.size() <= kMembers;
}

} // namespace

std::optional<Members> members_of(llvm::Type *type, const llvm::DataLayout &layout) {
  Members members;
  if (!type->isAggregateType() || !type->isSized() || !add_members(members, type, 0, layout) ||
      members.empty())
    return std::nullopt;
  uint64_t end = 0;
  for (const Member &member : members) {
    if (member.offset != end)
      return std::nullopt;
    end += layout.getTypeStoreSize(member.type);
  }
  if (end != layout.getTypeAllocSize(type))
    return std::nullopt;
  return members;
}

} // namespace culprit
