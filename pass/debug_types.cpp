// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/debug_types.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

namespace culprit {

const llvm::DIType *without_names(const llvm::DIType *type) {
  while (const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
    case llvm::dwarf::DW_TAG_const_type:
    case llvm::dwarf::DW_TAG_volatile_type:
    case llvm::dwarf::DW_TAG_restrict_type:
    case llvm::dwarf::DW_TAG_atomic_type:
    case llvm::dwarf::DW_TAG_typedef:
      type = derived->getBaseType();
      break;
    default:
      return type;
    }
  }
  return type;
}

std::string name_of(const llvm::DIType *type) {
  // A typedef's name is the only one an anonymous struct has.
  const llvm::StringRef given = type != nullptr ? type->getName() : "";
  type = without_names(type);
  if (type == nullptr)
    return ""; // void
  if (!type->getName().empty())
    return type->getName().str();
  if (const auto *pointer = llvm::dyn_cast<llvm::DIDerivedType>(type);
      pointer != nullptr && pointer->getTag() == llvm::dwarf::DW_TAG_pointer_type) {
    const std::string target = name_of(pointer->getBaseType());
    return (target.empty() ? "void" : target) + " *";
  }
  if (const llvm::DIType *element = array_element(type)) {
    const std::string name = name_of(element);
    return name.empty() ? "" : name + "[]";
  }
  return given.str();
}

const llvm::DIType *pointee(const llvm::DIType *type) {
  const auto *pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(without_names(type));
  if (pointer == nullptr || pointer->getTag() != llvm::dwarf::DW_TAG_pointer_type)
    return nullptr;
  return pointer->getBaseType();
}

const llvm::DICompositeType *as_record(const llvm::DIType *type) {
  const auto *record = llvm::dyn_cast_or_null<llvm::DICompositeType>(without_names(type));
  if (record == nullptr)
    return nullptr;
  switch (record->getTag()) {
  case llvm::dwarf::DW_TAG_structure_type:
  case llvm::dwarf::DW_TAG_class_type:
  case llvm::dwarf::DW_TAG_union_type:
    return record;
  default:
    return nullptr;
  }
}

const llvm::DIType *array_element(const llvm::DIType *type) {
  const auto *array = llvm::dyn_cast_or_null<llvm::DICompositeType>(without_names(type));
  // A vector is used as one value.
  if (array == nullptr || array->getTag() != llvm::dwarf::DW_TAG_array_type || array->isVector())
    return nullptr;
  const llvm::DIType *element = array->getBaseType();
  const llvm::DIType *inner = array_element(element);
  return inner != nullptr ? inner : element;
}

uint64_t bytes_of(const llvm::DIType *type) {
  const llvm::DIType *plain = without_names(type);
  return plain != nullptr ? plain->getSizeInBits() / 8 : 0;
}

llvm::StringRef function_around(const llvm::DIScope *scope) {
  const auto *local = llvm::dyn_cast_or_null<llvm::DILocalScope>(scope);
  const llvm::DISubprogram *subprogram = local != nullptr ? local->getSubprogram() : nullptr;
  if (subprogram == nullptr)
    return "";
  return subprogram->getLinkageName().empty() ? subprogram->getName()
                                              : subprogram->getLinkageName();
}

std::string path_of(llvm::StringRef directory, llvm::StringRef file) {
  if (llvm::sys::path::is_absolute(file) || directory.empty())
    return file.str();
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, file);
  return std::string(path);
}

} // namespace culprit
