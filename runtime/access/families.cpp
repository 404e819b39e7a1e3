// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See families.h.
#include "runtime/access/families.h"

#include "runtime/access/naming_lock.h"
#include "runtime/access/units.h"
#include "runtime/monitor/contexts.h"
#include "runtime/os/memory.h"

namespace culprit::access {

Family *g_families;
uint32_t *g_context_families;

namespace {

uint32_t *g_of_name;
uint32_t g_next = 1;
Name g_next_name = 1;
uint64_t g_next_tag = 0;
uint64_t g_missing;

constexpr uint64_t kMaxPhaseTags = uint64_t{1} << 32; // the table in blocks.cpp

uint32_t gcd_with_granule(uint32_t size) {
  uint32_t power = size & -size;
  return power < kGranule ? power : static_cast<uint32_t>(kGranule);
}

uint32_t phases_of(const Layout *layout) {
  if (!layout)
    return 1;
  if (layout->rest)
    return static_cast<uint32_t>((layout->size + kGranule - 1) / kGranule) + 1;
  return layout->size / gcd_with_granule(layout->size);
}

uint32_t make_family(Family family) {
  if (family.layout && (family.layout->members < 2 || phases_of(family.layout) > kMaxPhases))
    family.layout = nullptr;
  if (!family.layout)
    family.layout_number = 0;
  family.members = family.layout ? family.layout->members : 1;
  family.phases = phases_of(family.layout);
  // The last ones: of granules behind the block.
  uint64_t tags = family.kind == CULPRIT_NAME_HEAP ? uint64_t{family.phases + 1} * kGranule : 0;
  if (g_next == kMaxFamilies || g_next_name + family.members > kMaxNames ||
      g_next_tag + tags > kMaxPhaseTags) {
    ++g_missing;
    return 0;
  }
  family.first = g_next_name;
  family.first_tag = g_next_tag;
  uint32_t number = g_next;
  g_families[number] = family;
  for (uint32_t i = 0; i < family.members; ++i)
    __atomic_store_n(&g_of_name[family.first + i], number, __ATOMIC_RELEASE);
  g_next_tag += tags;
  __atomic_store_n(&g_next_name, family.first + family.members, __ATOMIC_RELEASE);
  __atomic_store_n(&g_next, number + 1, __ATOMIC_RELEASE);
  return number;
}

// `context` 0: of memory that never held an object, or no longer does.
Name make_outside(uint32_t context, culprit_name_kind kind = CULPRIT_NAME_OUTSIDE) {
  Family family{};
  family.kind = kind;
  family.object = context;
  uint32_t number = make_family(family);
  return number ? g_families[number].first : 0;
}

} // namespace

bool create_families() {
  return os::map_table(g_families, kMaxFamilies) &&
         os::map_table(g_context_families, monitor::kMaxContexts) &&
         os::map_table(g_of_name, kMaxNames);
}

uint32_t family_of_context(uint32_t context) {
  if (!context)
    return 0;
  if (uint32_t known = known_family(context))
    return known;
  Naming naming;
  if (g_context_families[context])
    return g_context_families[context];
  Family family{};
  family.kind = CULPRIT_NAME_HEAP;
  family.object = context;
  uint64_t chain = monitor::chain_of(context);
  for (; chain; chain >>= CULPRIT_CONTEXT_SHIFT) {
    SiteLayout found = layout_of_site(chain & ((1u << CULPRIT_CONTEXT_SHIFT) - 1));
    if (!found.layout)
      continue;
    family.layout = found.layout;
    family.layout_number = found.number;
    family.unit = found.unit;
    break;
  }
  family.outside = make_outside(context);
  uint32_t number = make_family(family);
  __atomic_store_n(&g_context_families[context], number, __ATOMIC_RELEASE);
  return number;
}

uint32_t family_of_variable(culprit_variable &variable, culprit_name_kind kind) {
  uint64_t known = __atomic_load_n(&variable.first, __ATOMIC_ACQUIRE);
  if (known)
    return static_cast<uint32_t>(known);
  Naming naming;
  if (variable.first)
    return static_cast<uint32_t>(variable.first);
  Family family{};
  family.kind = kind;
  family.object = variable.index;
  family.unit = variable.unit->id;
  family.layout = layout_of_unit(*variable.unit, variable.layout);
  family.layout_number = variable.layout;
  family.address = reinterpret_cast<uintptr_t>(variable.address);
  family.size = variable.size;
  uint32_t number = make_family(family);
  __atomic_store_n(&variable.first, number, __ATOMIC_RELEASE);
  return number;
}

namespace {

Name made_once(Name &made, culprit_name_kind kind) {
  Name name = __atomic_load_n(&made, __ATOMIC_ACQUIRE);
  if (name)
    return name;
  Naming naming;
  if (!made)
    __atomic_store_n(&made, make_outside(0, kind), __ATOMIC_RELEASE);
  return made;
}

} // namespace

Name name_of_fresh_memory() {
  static Name made;
  return made_once(made, CULPRIT_NAME_OUTSIDE);
}

Name name_of_freed_memory() {
  static Name made;
  return made_once(made, CULPRIT_NAME_FREED);
}

uint32_t family_of_name(Name name) {
  return name < kMaxNames ? __atomic_load_n(&g_of_name[name], __ATOMIC_ACQUIRE) : 0;
}

uint64_t name_count() { return __atomic_load_n(&g_next_name, __ATOMIC_RELAXED) - 1; }

uint64_t family_count() { return __atomic_load_n(&g_next, __ATOMIC_RELAXED) - 1; }

uint64_t families_missing() { return __atomic_load_n(&g_missing, __ATOMIC_RELAXED); }

} // namespace culprit::access
