// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See joining.h.
#include "runtime/access/joining.h"

#include "abi/run_file.h"
#include "runtime/access/check.h"
#include "runtime/access/periods.h"
#include "runtime/access/switch.h"
#include "runtime/access/watches.h"

namespace culprit::access {
namespace {

constexpr uint64_t kNowhere = ~uint64_t{0};

// The one offset in the layout at which byte `byte` of a granule with these names can lie.
uint64_t only_offset(const Family &family, const Names &names, unsigned byte) {
  uint64_t found = kNowhere;
  const uint64_t size = family.layout->size;
  for (uint64_t offset = 0; offset < size; ++offset) {
    bool fits = true;
    for (unsigned at = 0; at < kGranule && fits; ++at) {
      uint64_t there = offset + at - byte; // wraps below the start: not in this struct
      fits = there >= size || names.of[at] == family.first + family.layout->member[there];
    }
    if (!fits)
      continue;
    if (found != kNowhere)
      return kNowhere;
    found = offset;
  }
  return found;
}

bool is_ragged(const Family &family) { return __atomic_load_n(&family.ragged, __ATOMIC_SEQ_CST); }

bool is_whole(const Family &family) {
  const Layout *layout = family.layout;
  if (!layout || !layout->size || layout->rest)
    return false;
  return !is_ragged(family) &&
         (family.kind == CULPRIT_NAME_HEAP || family.size % layout->size == 0);
}

bool is_within(const Row &row, uint64_t offset, uint64_t size) {
  return offset < size && offset + row.size <= size;
}

bool knows(const Row &row, const Family &family, uint64_t offset) {
  for (uint64_t at = offset; at < offset + row.size; ++at)
    if (!g_pairs.has(row.first, name_at(family, at)))
      return false;
  return true;
}

} // namespace

void join(uintptr_t address, const culprit_joined_set &set, uint32_t first_row) {
  uint32_t joint = first_row + set.joint;
  if (!has_tag(address) || joint >= CULPRIT_NO_ROWS) [[unlikely]]
    return;
  Tag tag = tag_at(address);
  auto byte = static_cast<unsigned>(address % kGranule);
  auto start = static_cast<Starts>(1u << byte);
  if (is_switched_off()) [[unlikely]]
    return pass_unseen(joint, tag, start);
  uint32_t period = current_period();
  auto cannot = [&] { add_bits(joint + 1, tag, start); };
  if (!tag || tag == kExact || is_watched_kind(tag) || has_watches())
    return cannot();
  Names names;
  names_of_kind(tag, names);
  Name name = names.of[byte];
  uint32_t number = name ? family_of_name(name) : 0;
  if (!number)
    return cannot();
  Family &family = g_families[number];
  if (!is_whole(family))
    return cannot();
  uint64_t offset = only_offset(family, names, byte);
  Row first = row_of(first_row + set.row);
  uint64_t size = family.layout->size;
  if (offset == kNowhere || !is_within(first, offset, size))
    return cannot();
  const auto *others = reinterpret_cast<const culprit_joined *>(&set + 1);
  bool known = knows(first, family, offset);
  for (uint32_t i = 0; i < set.others; ++i) {
    const culprit_joined &other = others[i];
    Row row = row_of(first_row + other.row);
    uint64_t there = offset + static_cast<uint64_t>(other.distance);
    if (!is_within(row, there, size))
      return cannot();
    known = known && knows(row, family, there);
  }
  if (!known)
    return;
  __atomic_store_n(&family.joined, 1, __ATOMIC_SEQ_CST);
  learn(joint, tag, start, period);
  if (is_ragged(family)) // meanwhile
    remove_bits(joint, tag, start);
}

void make_ragged(Family &family) {
  __atomic_store_n(&family.ragged, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&family.joined, __ATOMIC_SEQ_CST))
    clear_rows(); // which costs a look for each bit that is still right
}

} // namespace culprit::access
