// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/types.h"

#include "llvm/DebugInfo/DWARF/DWARFFormValue.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

#include <limits>

namespace culprit::native {

namespace dw = llvm::dwarf;

namespace {

constexpr int kMaxSteps = 64; // from type to type: a circle ends, too
constexpr uint64_t kPointer = 8;
constexpr uint64_t kLargest = uint64_t{1} << 39; // bytes of a variable

bool is_only_a_name(dw::Tag tag) {
  return tag == dw::DW_TAG_typedef || tag == dw::DW_TAG_const_type ||
         tag == dw::DW_TAG_volatile_type || tag == dw::DW_TAG_restrict_type ||
         tag == dw::DW_TAG_atomic_type;
}

// Elements of an array; 0: not known, or none. Not by LLVM's getTypeSize, which takes a bound of
// one byte for a signed number.
uint64_t elements_of(llvm::DWARFDie array) {
  constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
  uint64_t count = 1;
  for (const llvm::DWARFDie child : array.children()) {
    if (child.getTag() != dw::DW_TAG_subrange_type)
      continue;
    const uint64_t here = child.find(dw::DW_AT_count)
                              ? number_of(child, dw::DW_AT_count)
                              : number_of(child, dw::DW_AT_upper_bound, kNone) + 1;
    if (here > kLargest || (here != 0 && count > kLargest / here))
      return 0;
    count *= here;
  }
  return count;
}

uint64_t bytes_within(llvm::DWARFDie type, int steps) {
  type = without_names(type);
  if (!type.isValid() || steps == 0)
    return 0;
  if (type.getTag() != dw::DW_TAG_array_type) {
    const uint64_t size = type.getTypeSize(kPointer).value_or(0);
    return size > kLargest ? 0 : size;
  }
  const uint64_t count = elements_of(type);
  const uint64_t element = bytes_within(type_of(type), steps - 1);
  return count != 0 && element > kLargest / count ? 0 : count * element;
}

std::string name_within(llvm::DWARFDie type, int steps) {
  const char *given = type.isValid() ? type.getShortName() : nullptr;
  type = without_names(type);
  if (!type.isValid() || steps == 0)
    return "";
  if (const char *name = type.getShortName())
    return name;
  if (type.getTag() == dw::DW_TAG_pointer_type) {
    const std::string target = name_within(type_of(type), steps - 1);
    return (target.empty() ? "void" : target) + " *";
  }
  if (const llvm::DWARFDie element = array_element(type)) {
    const std::string name = name_within(element, steps - 1);
    return name.empty() ? "" : name + "[]";
  }
  return given == nullptr ? "" : given;
}

} // namespace

llvm::DWARFDie type_of(llvm::DWARFDie die) {
  if (auto found = die.findRecursively(dw::DW_AT_type))
    return die.getAttributeValueAsReferencedDie(*found).resolveTypeUnitReference();
  return {};
}

llvm::DWARFDie without_names(llvm::DWARFDie type) {
  for (int step = 0; type.isValid() && is_only_a_name(type.getTag()) && step < kMaxSteps; ++step)
    type = type_of(type);
  return type.isValid() && is_only_a_name(type.getTag()) ? llvm::DWARFDie() : type;
}

std::string name_of(llvm::DWARFDie type) { return name_within(type, kMaxSteps); }

llvm::DWARFDie as_record(llvm::DWARFDie type) {
  type = without_names(type);
  if (!type.isValid())
    return {};
  switch (type.getTag()) {
  case dw::DW_TAG_structure_type:
  case dw::DW_TAG_class_type:
  case dw::DW_TAG_union_type:
    return type;
  default:
    return {};
  }
}

bool is_pointer(llvm::DWARFDie type) {
  type = without_names(type);
  return type.isValid() &&
         (type.getTag() == dw::DW_TAG_pointer_type || type.getTag() == dw::DW_TAG_reference_type);
}

bool is_union(llvm::DWARFDie record) { return record.getTag() == dw::DW_TAG_union_type; }

llvm::DWARFDie array_element(llvm::DWARFDie type) {
  type = without_names(type);
  llvm::DWARFDie element;
  for (int step = 0; type.isValid() && type.getTag() == dw::DW_TAG_array_type && step < kMaxSteps;
       ++step) {
    element = type_of(type);
    type = without_names(element);
  }
  return element;
}

uint64_t bytes_of(llvm::DWARFDie type) { return bytes_within(type, kMaxSteps); }

uint64_t number_of(llvm::DWARFDie die, dw::Attribute attribute, uint64_t otherwise) {
  const auto found = die.find(attribute);
  if (!found)
    return otherwise;
  if (const auto number = found->getAsUnsignedConstant())
    return *number;
  const auto signed_number = found->getAsSignedConstant();
  return signed_number ? static_cast<uint64_t>(*signed_number) : otherwise;
}

} // namespace culprit::native
