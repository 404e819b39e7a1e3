// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See telling.h.
#include "runtime/locate/telling.h"

#include "abi/locate.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/places.h"
#include "runtime/locate/unwritten.h"
#include "runtime/locate/values.h"
#include "runtime/text.h"

extern "C" {
// Defined by the linker, which chooses their names, where there is an instrumented unit.
// NOLINTBEGIN(readability-identifier-naming)
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_culprit_accesses[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __stop_culprit_accesses[];
// NOLINTEND(readability-identifier-naming)
}

namespace culprit::locate {
namespace {

constexpr size_t kAlignment = 4;

// One row's text, from left to right. What is not understood gives 0.
class Reader {
public:
  Reader(const char *text, const Registers &registers, bool certain)
      : at_(text), registers_(registers), certain_(certain) {}

  bool at_end() const { return !*at_; }
  bool skip(char wanted) {
    if (*at_ != wanted)
      return false;
    ++at_;
    return true;
  }
  // Of the leaf read last.
  uintptr_t place() const { return place_; }

  // first?LIMIT|other|…: if the first is no more than that, the newest of all.
  Id leaf() {
    place_ = 0;
    Id id = term();
    if (!skip('?'))
      return id;
    uint64_t limit = number();
    bool all = id <= limit;
    uintptr_t place = place_;
    while (skip('|')) {
      Id other = term();
      if (all)
        id = newer(id, other);
    }
    place_ = all ? 0 : place;
    return id;
  }

private:
  uint64_t number() {
    bool is_negative = skip('-');
    uint64_t value = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_)
      value = value * 10 + static_cast<uint64_t>(*at_ - '0');
    return is_negative ? -value : value;
  }

  uint64_t operand() {
    if (skip('$'))
      return number();
    if (!skip('%') || !skip('r'))
      return 0;
    if (*at_ >= '0' && *at_ <= '9') {
      uint64_t which = number();
      return which >= 8 && which < kRegisters ? registers_[which] : 0;
    }
    static const char kNames[] = "axbxcxdxsidibpsp";
    if (!at_[0] || !at_[1])
      return 0;
    for (size_t i = 0; kNames[2 * i]; ++i)
      if (kNames[2 * i] == at_[0] && kNames[2 * i + 1] == at_[1]) {
        at_ += 2;
        return registers_[i];
      }
    return 0;
  }

  // @SIZE:OFFSET:OPERAND: of the memory there; *COUNT:OPERAND: of these cells; else the operand is
  // the id.
  Id term() {
    if (skip('*')) {
      uint64_t count = number();
      skip(':');
      uintptr_t cells = operand();
      if (is_shadow(cells, count))
        place_ = ((cells - CULPRIT_SHADOW_BASE) >> CULPRIT_SHADOW_SHIFT) & CULPRIT_SHADOW_MASK;
      return newest(cells, count);
    }
    if (!skip('@'))
      return plausible(operand());
    uint64_t size = number();
    skip(':');
    uint64_t offset = number();
    skip(':');
    place_ = operand() + offset;
    return id_of(place_, size);
  }

  static bool is_shadow(uintptr_t cells, uint64_t count) {
    return cells - CULPRIT_SHADOW_BASE <= CULPRIT_SHADOW_SIZE - count * sizeof(Id);
  }

  // Cells may also be on the stack, which only the instruction itself knows for certain.
  Id newest(uintptr_t cells, uint64_t count) const {
    if (!cells || cells % sizeof(Id) || !(is_shadow(cells, count) || certain_))
      return 0;
    Id id = 0;
    for (uint64_t i = 0; i < count; ++i)
      id = newer(id, reinterpret_cast<const Id *>(cells)[i]);
    return id;
  }

  Id plausible(Id id) const {
    // A loop may keep the clock in a register for a while.
    constexpr Id kAhead = Id{CULPRIT_TICK} << 30;
    Id marks = g_unwritten && is_unwritten(id) ? CULPRIT_ID_MARKS : 0;
    Id time = id & ~CULPRIT_ID_CORRUPT & ~marks & ~CULPRIT_ID_DEFINITION_MASK;
    return certain_ || time <= __culprit_clock + kAhead ? id : 0;
  }

  const char *at_;
  const Registers &registers_;
  bool certain_;
  uintptr_t place_ = 0;
};

struct Found {
  const culprit_access_row *row; // null: none
  uintptr_t start;
};

// The last that starts at the instruction or before it.
Found find_row(AccessRows rows, uintptr_t pc) {
  Found found{};
  each_row(rows, [&](const culprit_access_row &row, uintptr_t start) {
    if (start <= pc && start >= found.start)
      found = {&row, start};
  });
  return found;
}

bool has_rows(uintptr_t pc) { return __start_culprit_accesses && is_instrumented(pc); }

} // namespace

const char *behind(const culprit_access_row &row) {
  size_t bytes = sizeof row + text::length_of(row.leaves) + 1;
  return reinterpret_cast<const char *>(&row) + ((bytes + kAlignment - 1) & ~(kAlignment - 1));
}

AccessRows unit_rows() {
  if (!__start_culprit_accesses)
    return {};
  return {__start_culprit_accesses, __stop_culprit_accesses};
}

Told find_told(AccessRows rows, uintptr_t pc, const Registers &registers) {
  Told told{};
  Found found = find_row(rows, pc);
  if (!found.row)
    return told;
  told.place = found.row->place;
  told.start = found.start;
  Reader reader(found.row->leaves, registers, told.start == pc);
  for (size_t i = 0; i < CULPRIT_LEAVES && !reader.at_end(); ++i) {
    told.leaves[i] = reader.leaf();
    told.places[i] = reader.place();
    if (!reader.skip(';'))
      break;
  }
  return told;
}

Told told_at(uintptr_t pc, const Registers &registers) {
  if (!has_rows(pc))
    return {};
  return find_told(unit_rows(), pc, registers);
}

AccessRows row_at(uintptr_t pc) {
  if (!has_rows(pc))
    return {};
  Found found = find_row(unit_rows(), pc);
  if (!found.row || found.start != pc)
    return {};
  return {reinterpret_cast<const char *>(found.row), behind(*found.row)};
}

} // namespace culprit::locate
