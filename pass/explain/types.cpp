// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass/explain/types.h"

#include "pass/debug_types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace culprit {

namespace {

using llvm::json::Array;

llvm::StringRef kind_of(const llvm::DIBasicType &basic) {
  switch (basic.getEncoding()) {
  case llvm::dwarf::DW_ATE_boolean:
    return "bool";
  case llvm::dwarf::DW_ATE_float:
    return "float";
  case llvm::dwarf::DW_ATE_signed_char:
  case llvm::dwarf::DW_ATE_UTF:
    return "char";
  case llvm::dwarf::DW_ATE_signed:
    return "signed";
  case llvm::dwarf::DW_ATE_unsigned:
  case llvm::dwarf::DW_ATE_unsigned_char: // a byte more often than a letter
    return "unsigned";
  default:
    return "other";
  }
}

// 0: not known, or an array of a length that is not constant.
uint64_t dimension(const llvm::DICompositeType &array, unsigned number) {
  const auto *range = llvm::dyn_cast<llvm::DISubrange>(array.getElements()[number]);
  const auto count = range != nullptr ? range->getCount() : llvm::DISubrange::BoundType();
  const auto *constant = llvm::dyn_cast_if_present<llvm::ConstantInt *>(count);
  return constant != nullptr && !constant->isNegative() ? constant->getZExtValue() : 0;
}

} // namespace

unsigned ExplainTypes::number(const Key &key) {
  const auto [known, is_new] = numbers_.try_emplace(key, keys_.size() + 1);
  if (is_new)
    keys_.push_back(key);
  return known->second;
}

unsigned ExplainTypes::of(const llvm::DIType *type) {
  const llvm::DIType *plain = without_names(type);
  return plain == nullptr ? 0 : number({plain, 0});
}

Array ExplainTypes::members_of(const llvm::DICompositeType &record) {
  Array members;
  for (const llvm::DINode *node : record.getElements()) {
    const auto *member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (member == nullptr || member->isStaticMember() ||
        (member->getTag() != llvm::dwarf::DW_TAG_member &&
         member->getTag() != llvm::dwarf::DW_TAG_inheritance))
      continue;
    const llvm::StringRef name =
        member->getTag() == llvm::dwarf::DW_TAG_member ? member->getName() : "";
    Array row{string_number_(name), member->getOffsetInBits() / 8, of(member->getBaseType())};
    if (member->isBitField()) {
      row.push_back(member->getOffsetInBits() % 8);
      row.push_back(member->getSizeInBits());
    }
    members.push_back(std::move(row));
  }
  return members;
}

Array ExplainTypes::row_of(const Key &key) {
  const llvm::DIType *type = key.first;
  const unsigned from = key.second;
  const auto row = [&](llvm::StringRef kind, uint64_t size, unsigned of_type, uint64_t count,
                       Array members = {}) {
    return Array{string_number_(kind), string_number_(name_of(type)), size, of_type, count,
                 std::move(members)};
  };
  if (const auto *basic = llvm::dyn_cast<llvm::DIBasicType>(type))
    return row(kind_of(*basic), basic->getSizeInBits() / 8, 0, 0);
  if (const auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
    const bool points = derived->getTag() == llvm::dwarf::DW_TAG_pointer_type ||
                        derived->getTag() == llvm::dwarf::DW_TAG_reference_type ||
                        derived->getTag() == llvm::dwarf::DW_TAG_rvalue_reference_type;
    return row(points ? "pointer" : "other", derived->getSizeInBits() / 8,
               points ? of(derived->getBaseType()) : 0, 0);
  }
  const auto *composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  if (composite == nullptr)
    return row("other", type->getSizeInBits() / 8, 0, 0);
  if (as_record(type) != nullptr)
    return row(composite->getTag() == llvm::dwarf::DW_TAG_union_type ? "union" : "record",
               composite->getSizeInBits() / 8, 0, 0, members_of(*composite));
  if (composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type) {
    Array values;
    for (const llvm::DINode *node : composite->getElements())
      if (const auto *value = llvm::dyn_cast_or_null<llvm::DIEnumerator>(node);
          value != nullptr && value->getValue().getSignificantBits() <= 64)
        values.push_back(Array{string_number_(value->getName()),
                               static_cast<uint64_t>(value->getValue().getSExtValue()), 0U});
    return row("enum", composite->getSizeInBits() / 8, 0, 0, std::move(values));
  }
  if (composite->getTag() != llvm::dwarf::DW_TAG_array_type || composite->isVector())
    return row("other", composite->getSizeInBits() / 8, 0, 0);
  const unsigned dimensions = composite->getElements().size();
  uint64_t size = bytes_of(composite->getBaseType());
  for (unsigned i = from; i < dimensions; ++i)
    size *= dimension(*composite, i);
  const unsigned element =
      from + 1 < dimensions ? number({type, from + 1}) : of(composite->getBaseType());
  return row("array", size, element, dimensions == 0 ? 0 : dimension(*composite, from));
}

Array ExplainTypes::take() {
  Array rows;
  for (size_t i = 0; i < keys_.size(); ++i) // it grows while its rows are made
    rows.push_back(row_of(Key(keys_[i])));
  return rows;
}

} // namespace culprit
