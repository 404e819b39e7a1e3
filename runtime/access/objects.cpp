// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See objects.h.
#include "runtime/access/objects.h"

#include "runtime/access/blocks.h"
#include "runtime/access/exact.h"

namespace culprit::access {
namespace {

constexpr uintptr_t kPadding = 64;
constexpr uintptr_t kLongestWalk = uintptr_t{1} << 20;

heap::Object block_at(uintptr_t address) {
  return heap::find_object(reinterpret_cast<const void *>(address));
}

// A local lives where its names are: two lives of one local are never neighbours, since a return
// address lies between.
Extent local_extent(uintptr_t address, uint32_t family) {
  uint64_t size = g_families[family].size;
  uintptr_t start = address;
  while (address - start + 1 < size && address - start < kLongestWalk &&
         family_of_name(name_of_byte(start - 1)) == family)
    --start;
  return {start, size};
}

Name last_name_of_block_before(uintptr_t start) {
  heap::Object before = block_at(start - 1);
  if (!before.start || before.start + before.size != start)
    return 0;
  size_t size = named_size(before);
  return size ? name_of_byte(before.start + size - 1) : 0;
}

} // namespace

Extent extent_of(uintptr_t address, Name name) {
  uint32_t number = family_of_name(name);
  const Family &family = g_families[number];
  switch (family.kind) {
  case CULPRIT_NAME_OUTSIDE:
  case CULPRIT_NAME_FREED:
  case CULPRIT_NAME_HEAP: {
    heap::Object object = block_at(address);
    return object.start ? Extent{object.start, named_size(object)} : Extent{address, 0};
  }
  case CULPRIT_NAME_GLOBAL:
    return {family.address, family.size};
  default:
    return local_extent(address, number);
  }
}

Name name_before(uintptr_t address, Name name, const Extent &extent) {
  uintptr_t start = extent.start;
  const Family &family = g_families[family_of_name(name)];
  if (family.members > 1 && address >= start) {
    uintptr_t member = address;
    while (member > start && address - member < kLongestWalk && name_of_byte(member - 1) == name)
      --member;
    if (member > start)
      return name_of_byte(member - 1);
  }
  // Of slack: the block's own last name.
  if (family.kind == CULPRIT_NAME_OUTSIDE && family.object)
    return extent.size ? name_of_byte(start + extent.size - 1) : 0;
  if (family.kind == CULPRIT_NAME_HEAP || family.kind == CULPRIT_NAME_OUTSIDE ||
      family.kind == CULPRIT_NAME_FREED)
    return last_name_of_block_before(start);
  for (uintptr_t at = start - 1; at && start - at <= kPadding; --at)
    if (Name found = name_of_byte(at))
      return found;
  return 0;
}

Name name_previously(uintptr_t address, Name name) {
  heap::Object object = block_at(address);
  if (!object.start)
    return 0;
  uint64_t offset = address - object.start;
  return g_families[family_of_name(name)].kind == CULPRIT_NAME_FREED
             ? last_name(object, offset)
             : previous_name(object, offset);
}

} // namespace culprit::access
