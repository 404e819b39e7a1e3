// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See variables.h.
#include "runtime/access/variables.h"

#include "runtime/access/exact.h"
#include "runtime/access/naming_lock.h"
#include "runtime/access/watches.h"
#include "runtime/os/memory.h"
#include "runtime/os/stack.h"

namespace culprit::access {
namespace {

constexpr uintptr_t kInGranule = kGranule - 1;

// A key has 48 bits, the answer is the tag in the low 16.
constexpr size_t kAnswers = size_t{1} << 16;
uint64_t *g_answers;
uint64_t g_global_bytes;

enum class Question : uint64_t { full = 1, shared = 2, off = 3 };

uint64_t key_of(Question question, uint64_t rest) {
  return (static_cast<uint64_t>(question) << 46 | rest) << 16;
}

bool ask(uint64_t key, Tag &tag) {
  uint64_t found = __atomic_load_n(&g_answers[(key * 0x9e3779b97f4a7c15) >> 48], __ATOMIC_ACQUIRE);
  tag = static_cast<Tag>(found);
  return (found & ~uint64_t{0xffff}) == key;
}

void answer(uint64_t key, Tag tag) {
  __atomic_store_n(&g_answers[(key * 0x9e3779b97f4a7c15) >> 48], key | tag, __ATOMIC_RELEASE);
}

// The bytes [from, to) of the granule get their names in the family, `offset` being that of byte
// `from`; with family 0 they lose them.
void change_slowly(uintptr_t granule, unsigned from, unsigned to, uint32_t family,
                   uint64_t offset) {
  Names names;
  Tag old = tag_at(granule);
  names_at(granule, old, names);
  for (unsigned byte = from; byte < to; ++byte)
    names.of[byte] = family ? name_at(g_families[family], offset + byte - from) : 0;
  Naming naming;
  set_names(granule, names, is_watched(granule));
}

void change(uintptr_t granule, unsigned from, unsigned to, uint32_t family, uint64_t offset,
            uint64_t key) {
  Tag old = tag_at(granule);
  Tag tag;
  if (old != kExact && ask(key, tag))
    return set_tag(granule, tag);
  change_slowly(granule, from, to, family, offset);
  tag = tag_at(granule);
  if (old != kExact && tag != kExact)
    answer(key, tag);
}

// Where in the layout a full granule's names begin: equal positions, equal names.
uint64_t position(const Family &family, uint64_t offset) {
  const Layout *layout = family.layout;
  if (!layout)
    return 0;
  if (!layout->rest)
    return offset % layout->size;
  return offset < layout->size ? offset : layout->size;
}

void put_full(uintptr_t granule, uint32_t number, uint64_t offset) {
  const Family &family = g_families[number];
  uint64_t key = key_of(Question::full, uint64_t{number} << 16 | position(family, offset));
  change(granule, 0, kGranule, number, offset, key);
}

// A granule the variable has to itself is written without a look at what was there: after a
// longjmp nobody knows about it may be anything. Watched ones keep their watch.
void put_all_full(uintptr_t from, uintptr_t to, uint32_t number, uint64_t offset) {
  const Family &family = g_families[number];
  Tag last = kUnwatched;
  uint64_t last_position = ~uint64_t{0};
  for (uintptr_t granule = from; granule < to; granule += kGranule, offset += kGranule) {
    Tag old = tag_at(granule);
    uint64_t here = position(family, offset);
    if (here == last_position && last != kExact && old != kExact && !is_watched_kind(old)) {
      set_tag(granule, last);
      continue;
    }
    if (old == kExact || is_watched_kind(old))
      change_slowly(granule, 0, kGranule, number, offset);
    else
      put_full(granule, number, offset);
    last = tag_at(granule);
    last_position = is_watched_kind(last) ? ~uint64_t{0} : here;
  }
}

uint64_t shared_key(uintptr_t granule, uint32_t number, unsigned start, bool tail) {
  return key_of(Question::shared,
                (uint64_t{number} << 16 | tag_at(granule)) << 5 | start << 1 | (tail ? 1 : 0));
}

// A granule the variable shares. An answer holds for every life of a variable of fixed size.
void put_part(uintptr_t granule, unsigned from, unsigned to, uint32_t number, uint64_t offset,
              unsigned start, bool fixed) {
  if (!fixed)
    return change_slowly(granule, from, to, number, offset);
  change(granule, from, to, number, offset, shared_key(granule, number, start, offset != 0));
}

void put_variable(uintptr_t address, uint64_t size, uint32_t number) {
  bool fixed = g_families[number].size == size;
  uintptr_t end = address + size;
  auto start = static_cast<unsigned>(address & kInGranule);
  uintptr_t granule = address - start;
  if (start || end < granule + kGranule) {
    auto to = static_cast<unsigned>(end - granule < kGranule ? end - granule : kGranule);
    put_part(granule, start, to, number, 0, start, fixed);
    granule += kGranule;
  }
  uintptr_t last = end & ~kInGranule;
  if (granule < last)
    put_all_full(granule, last, number, granule - address);
  if (last >= granule && last < end)
    put_part(last, 0, static_cast<unsigned>(end - last), number, last - address, start, fixed);
}

// What a thread knows of its stack.
struct StackNames {
  os::StackLimits limits;
  uintptr_t lowest; // of a local; 0: none yet
};
__thread StackNames g_stack __attribute__((tls_model("initial-exec")));

[[gnu::noinline]] void begin_stack(uintptr_t address) {
  g_stack.limits = os::find_stack(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  g_stack.lowest = g_stack.limits.high;
  if (address >= g_stack.limits.low && address < g_stack.lowest)
    g_stack.lowest = address;
}

} // namespace

bool create_variables() {
  g_answers = reinterpret_cast<uint64_t *>(os::map_sparse(0, kAnswers * sizeof(uint64_t)));
  return g_answers != nullptr;
}

void name_global(culprit_variable &variable) {
  uint32_t number = family_of_variable(variable, CULPRIT_NAME_GLOBAL);
  if (!number)
    return;
  put_variable(reinterpret_cast<uintptr_t>(variable.address), variable.size, number);
  __atomic_fetch_add(&g_global_bytes, variable.size, __ATOMIC_RELAXED);
}

void local_on(uintptr_t address, uint64_t size, culprit_variable &variable) {
  uint32_t number = family_of_variable(variable, CULPRIT_NAME_LOCAL);
  if (!number || !size)
    return;
  if (address - g_stack.lowest >= g_stack.limits.high - g_stack.lowest) [[unlikely]] {
    if (!g_stack.lowest)
      begin_stack(address);
    else if (address >= g_stack.limits.low && address < g_stack.lowest)
      g_stack.lowest = address;
  }
  put_variable(address, size, number);
}

void local_off(uintptr_t address, uint64_t size) { remove_names(address, size); }

void remove_names(uintptr_t address, uint64_t size) {
  uintptr_t end = address + size;
  while (address < end) {
    uintptr_t granule = address & ~kInGranule;
    auto from = static_cast<unsigned>(address - granule);
    auto to = static_cast<unsigned>(end - granule < kGranule ? end - granule : kGranule);
    Tag old = tag_at(granule);
    if (old != kExact && from == 0 && to == kGranule && !is_watched_kind(old))
      set_tag(granule, kUnwatched);
    else if (old)
      change(granule, from, to, 0, 0,
             key_of(Question::off, uint64_t{old} << 8 | from << 4 | (to - 1)));
    address = granule + kGranule;
  }
}

void unwound(uintptr_t address) {
  StackNames &stack = g_stack;
  if (!stack.lowest || address <= stack.lowest || address > stack.limits.high)
    return;
  remove_names(stack.lowest, address - stack.lowest);
  stack.lowest = address;
}

void thread_ends() {
  StackNames &stack = g_stack;
  if (stack.lowest && stack.lowest < stack.limits.high)
    remove_names(stack.lowest, stack.limits.high - stack.lowest);
  stack = {};
}

uint64_t global_bytes() { return __atomic_load_n(&g_global_bytes, __ATOMIC_RELAXED); }

} // namespace culprit::access
