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

// Where a struct of the family can begin in a granule: at `first`, and each `step` bytes from it.
struct Beginnings {
  uint64_t first;
  uint64_t step;
};

// Blocks begin with a granule, and the structs of an array follow each other. Of locals nothing is
// known.
Beginnings beginnings(const Family &family) {
  const uint64_t lowest_bit = family.layout->size & -family.layout->size;
  const uint64_t step = lowest_bit < kGranule ? lowest_bit : kGranule;
  if (family.kind == CULPRIT_NAME_HEAP)
    return {0, step};
  if (family.kind == CULPRIT_NAME_GLOBAL)
    return {family.address % step, step};
  return {0, 1};
}

// The one offset in the layout at which byte `byte` of a granule with these names can lie. Without
// the beginnings a last member that ends within a granule would lie anywhere: what is behind a
// struct may have any name.
uint64_t only_offset(const Family &family, const Names &names, unsigned byte) {
  uint64_t found = kNowhere;
  const uint64_t size = family.layout->size;
  const Beginnings where = beginnings(family);
  for (uint64_t offset = (byte + kGranule - where.first) % where.step; offset < size;
       offset += where.step) {
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

bool is_in_granule(const Row &row, uint64_t byte) {
  return byte < kGranule && byte + row.size <= kGranule;
}

// Of a granule's names.
bool knows(const Row &row, const Names &names, uint64_t byte) {
  for (uint64_t at = byte; at < byte + row.size; ++at)
    if (names.of[at] && !g_pairs.has(row.first, names.of[at]))
      return false;
  return true;
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
  if (tag == kExact || is_watched_kind(tag) || has_watches())
    return cannot();
  Names names;
  names_of_kind(tag, names);
  Row first = row_of(first_row + set.row);
  const auto *others = reinterpret_cast<const culprit_joined *>(&set + 1);
  bool within = is_in_granule(first, byte);
  bool known = within && knows(first, names, byte);
  for (uint32_t i = 0; i < set.others && within; ++i) {
    Row row = row_of(first_row + others[i].row);
    uint64_t there = byte + static_cast<uint64_t>(others[i].distance);
    within = is_in_granule(row, there);
    known = known && within && knows(row, names, there);
  }
  if (within)
    return known ? learn(joint, tag, start, period) : void();
  Name name = names.of[byte];
  uint32_t number = name ? family_of_name(name) : 0;
  if (!number)
    return cannot();
  Family &family = g_families[number];
  if (!is_whole(family))
    return cannot();
  uint64_t offset = only_offset(family, names, byte);
  uint64_t size = family.layout->size;
  if (offset == kNowhere || !is_within(first, offset, size))
    return cannot();
  known = knows(first, family, offset);
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
