// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See left_frames.h.
#include "runtime/locate/left_frames.h"

#include "runtime/locate/crash.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/state.h"
#include "runtime/locate/targets.h"
#include "runtime/locate/values.h"
#include "runtime/os/memory.h"

namespace culprit::locate {
namespace {

constexpr size_t kMostVariables = size_t{1} << 20;
constexpr uint64_t kAlignment = 64;
constexpr uint64_t kMostLeft = uint64_t{4} << 20;   // bytes of one function's
constexpr uint64_t kMostUsed = uint64_t{256} << 20; // of all
constexpr size_t kStep = size_t{64} << 10;

struct Row {
  LeftVariable variable;
  uint32_t next; // of the same function: position + 1
};

// In front of a block.
struct Head {
  uintptr_t next; // block that was left after it
  Id left;        // when
  bool is_known;  // a return under suspicion: who writes there is known by now
};
static_assert(sizeof(Head) <= kAlignment);

struct Function {
  uint32_t first; // of its rows: position + 1
  uint64_t bytes;
  uint64_t left; // bytes of blocks that are
  uintptr_t oldest;
  uintptr_t newest;
};

const culprit_layout_unit *g_unit;
Row *g_rows;
uint32_t g_row_count;
Function *g_functions; // null: nothing is kept
// Accessible no further than it is used: the bytes that variables are filled with are no address,
// and as an index they shall lead to none, either.
os::Range g_memory;
uintptr_t g_next;

uintptr_t begin() { return reinterpret_cast<uintptr_t>(g_memory.start); }

Head &head_of(uintptr_t block) { return *reinterpret_cast<Head *>(block - kAlignment); }

template <typename Visit> void for_each_variable(const Function &function, Visit visit) {
  for (uint32_t next = function.first; next; next = g_rows[next - 1].next)
    visit(g_rows[next - 1].variable);
}

VariableDamage check(const Function &function, uintptr_t block) {
  VariableDamage found{};
  if (head_of(block).is_known)
    return found;
  for_each_variable(function, [&](const LeftVariable &each) {
    Damage damage = check_pattern(block + each.offset, each.size, kFreed);
    found = earlier(found, {.damage = damage,
                            .variable = block + each.offset,
                            .size = each.size,
                            .declaration = each.definition,
                            .has_left = true,
                            .left = head_of(block).left | each.definition});
  });
  return found;
}

uintptr_t take_oldest(Function &function) {
  uintptr_t block = function.oldest;
  if (!block)
    return 0;
  if (VariableDamage found = check(function, block); found.damage.address)
    stop_with_damage(found);
  function.oldest = head_of(block).next;
  if (!function.oldest)
    function.newest = 0;
  function.left -= function.bytes;
  return block;
}

uintptr_t take(Function &function) {
  uint64_t whole =
      kAlignment + ((function.bytes + kAlignment - 1) & ~(kAlignment - 1)) + kAlignment;
  if (function.left > kMostLeft || g_next - begin() > kMostUsed)
    if (uintptr_t block = take_oldest(function))
      return block;
  if (!g_memory.grow(g_next + whole - begin(), kStep))
    stop_unusable("culprit: no room for the variables of so many functions\n");
  uintptr_t block = g_next + kAlignment;
  g_next += whole;
  return block;
}

} // namespace

bool make_left_frames(const culprit_layout_unit &unit, uintptr_t region, size_t size) {
  if (!os::map_table(g_rows, kMostVariables) || !os::map_table(g_functions, unit.functions + 1) ||
      !g_memory.create(region, size))
    return false;
  g_unit = &unit;
  g_next = begin();
  return g_next == region;
}

bool keep_variable(uint64_t function, const LeftVariable &variable) {
  constexpr uint64_t kLargest = uint64_t{1} << 32;
  if (function >= g_unit->functions || variable.entry < g_unit->global_count ||
      variable.entry >= g_unit->entries || g_row_count == kMostVariables ||
      variable.offset > kLargest || variable.size > kLargest)
    return false;
  Function &its = g_functions[function];
  g_rows[g_row_count++] = {variable, its.first};
  its.first = g_row_count;
  uint64_t end = variable.offset + variable.size;
  its.bytes = its.bytes > end ? its.bytes : end;
  return true;
}

bool lies_in_left_frames(uintptr_t address, size_t size) {
  return address - begin() < g_memory.usable && size <= begin() + g_memory.usable - address;
}

uintptr_t begin_activation(uint64_t function) {
  if (!g_functions || !g_functions[function].first)
    return 0;
  uintptr_t block = take(g_functions[function]);
  for_each_variable(g_functions[function], [&](const LeftVariable &each) {
    g_unit->table[each.entry] = block + each.offset;
  });
  return block;
}

void end_activation(uint64_t function, uintptr_t block) {
  if (!block)
    return;
  Function &its = g_functions[function];
  Id now = __culprit_clock;
  bool is_known = false;
  for_each_variable(its, [&](const LeftVariable &each) {
    Id id = each.definition ? fired(now | each.definition | CULPRIT_ID_CORRUPT) : 0;
    is_known |= is_corrupt(id);
    __builtin_memset(reinterpret_cast<void *>(block + each.offset), kFreed, each.size);
    define(block + each.offset, each.size, id);
  });
  head_of(block) = {0, now, is_known};
  if (its.newest)
    head_of(its.newest).next = block;
  else
    its.oldest = block;
  its.newest = block;
  its.left += its.bytes;
}

VariableDamage check_left_frames() {
  VariableDamage found{};
  for (uint64_t i = 0; g_functions && i < g_unit->functions; ++i)
    for (uintptr_t block = g_functions[i].oldest; block; block = head_of(block).next)
      found = earlier(found, check(g_functions[i], block));
  return found;
}

} // namespace culprit::locate
