// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See variables.h.
#include "runtime/access/variables.h"

#include "runtime/access/exact.h"
#include "runtime/access/naming_lock.h"
#include "runtime/access/watches.h"
#include "runtime/os/memory.h"

namespace culprit::access {
namespace {

// A key has 48 bits, the answer is the tag in the low 16.
constexpr size_t kAnswers = size_t{1} << 16;
uint64_t *g_answers;
// The same answers, those given last: a program asks the same few hundred again and again, and all
// of them together are more than the nearest cache holds.
constexpr size_t kRecentAnswers = size_t{1} << 9;
uint64_t g_recent_answers[kRecentAnswers];
uint64_t g_global_bytes;

enum class Question : uint64_t { full = 1, shared = 2, off = 3 };

uint64_t key_of(Question question, uint64_t rest) {
  return (static_cast<uint64_t>(question) << 46 | rest) << 16;
}

uint64_t place_of(uint64_t key) { return key * 0x9e3779b97f4a7c15; }
bool is_for(uint64_t found, uint64_t key) { return (found & ~uint64_t{0xffff}) == key; }

bool ask(uint64_t key, Tag &tag) {
  uint64_t place = place_of(key);
  uint64_t &recent = g_recent_answers[place >> 55];
  uint64_t found = __atomic_load_n(&recent, __ATOMIC_ACQUIRE);
  if (!is_for(found, key)) [[unlikely]] {
    found = __atomic_load_n(&g_answers[place >> 48], __ATOMIC_ACQUIRE);
    if (!is_for(found, key))
      return false;
    __atomic_store_n(&recent, found, __ATOMIC_RELEASE);
  }
  tag = static_cast<Tag>(found);
  return true;
}

void answer(uint64_t key, Tag tag) {
  __atomic_store_n(&g_answers[place_of(key) >> 48], key | tag, __ATOMIC_RELEASE);
}

// The bytes [from, to) of the granule get their names in the family, `offset` being that of byte
// `from`; with family 0 they lose them.
[[gnu::noinline]] void change_slowly(uintptr_t granule, unsigned from, unsigned to, uint32_t family,
                                     uint64_t offset) {
  Names names;
  names_at(granule, tag_at(granule), names);
  for (unsigned byte = from; byte < to; ++byte)
    names.of[byte] = family ? name_at(g_families[family], offset + byte - from) : 0;
  Naming naming;
  set_names(granule, names, is_watched(granule));
}

[[gnu::noinline]] void change_and_answer(uintptr_t granule, unsigned from, unsigned to,
                                         uint32_t family, uint64_t offset, uint64_t key) {
  Tag old = tag_at(granule);
  change_slowly(granule, from, to, family, offset);
  Tag tag = tag_at(granule);
  if (old != kExact && tag != kExact)
    answer(key, tag);
}

[[gnu::always_inline]] inline void change(uintptr_t granule, Tag old, unsigned from, unsigned to,
                                          uint32_t family, uint64_t offset, uint64_t key) {
  Tag tag;
  if (old != kExact && ask(key, tag)) [[likely]]
    set_tag(granule, tag);
  else
    change_and_answer(granule, from, to, family, offset, key);
}

uint64_t full_key(uint32_t number, uint64_t position) {
  return key_of(Question::full, uint64_t{number} << 16 | position);
}

// Where in the layout a full granule's names begin: equal positions, equal names.
struct Position {
  const Layout *layout;
  uint64_t at; // behind the layout: its size, if the rest is one name

  Position(const Family &family, uint64_t offset) : layout(family.layout), at(0) {
    if (layout)
      at = layout->rest ? offset : offset % layout->size;
    clip();
  }
  void next() {
    if (!layout)
      return;
    at += kGranule;
    while (!layout->rest && at >= layout->size)
      at -= layout->size;
    clip();
  }
  void clip() {
    if (layout && at > layout->size)
      at = layout->size;
  }
};

// A granule the variable has to itself does not depend on what was there: after a longjmp nobody
// told us about it may be anything. A watched one keeps its watch.
void put_all_full(uintptr_t from, uintptr_t to, uint32_t number, uint64_t offset) {
  Position position(g_families[number], offset);
  bool free = tags_are_free();
  for (uintptr_t granule = from; granule < to;
       granule += kGranule, offset += kGranule, position.next()) {
    Tag old = free ? kUnwatched : tag_at(granule);
    if (old == kExact || is_watched_kind(old)) {
      change_slowly(granule, 0, kGranule, number, offset);
      continue;
    }
    change(granule, old, 0, kGranule, number, offset, full_key(number, position.at));
    if (!free || position.layout)
      continue;
    // One name: all the others are as this one.
    Tag tag = tag_at(granule);
    if (tag != kExact)
      return fill_tags(tags_of(granule), (to - granule) / kGranule, tag);
    free = false;
  }
}

uint64_t shared_key(Tag old, uint32_t number, unsigned start, bool tail) {
  return key_of(Question::shared,
                (uint64_t{number} << 16 | old) << 5 | start << 1 | (tail ? 1 : 0));
}

// A granule the variable shares. An answer holds for every life of a variable of fixed size.
[[gnu::always_inline]] inline void put_part(uintptr_t granule, unsigned from, unsigned to,
                                            uint32_t number, uint64_t offset, unsigned start,
                                            bool fixed) {
  Tag old = tag_at(granule);
  if (fixed)
    change(granule, old, from, to, number, offset, shared_key(old, number, start, offset != 0));
  else
    change_slowly(granule, from, to, number, offset);
}

[[gnu::always_inline]] inline void remove_part(uintptr_t granule, unsigned from, unsigned to) {
  Tag old = tag_at(granule);
  if (old)
    change(granule, old, from, to, 0, 0,
           key_of(Question::off, uint64_t{old} << 8 | from << 4 | (to - 1)));
}

} // namespace

bool tags_are_free() { return !has_watches() && !has_exact(); }

bool create_variables() {
  g_answers = reinterpret_cast<uint64_t *>(os::map_sparse(0, kAnswers * sizeof(uint64_t)));
  return g_answers != nullptr;
}

void name_variable(uintptr_t address, uint64_t size, uint32_t number, bool fixed) {
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

void name_global(culprit_variable &variable) {
  uint32_t number = family_of_variable(variable, CULPRIT_NAME_GLOBAL);
  if (!number)
    return;
  name_variable(reinterpret_cast<uintptr_t>(variable.address), variable.size, number, true);
  __atomic_fetch_add(&g_global_bytes, variable.size, __ATOMIC_RELAXED);
}

void name_gap(culprit_variable &gap) {
  auto address = reinterpret_cast<uintptr_t>(gap.address);
  uint64_t size = 0;
  while (size < gap.size && !name_of_byte(address + size))
    ++size;
  if (!size)
    return;
  // The engine's table says that it is none.
  if (uint32_t number = family_of_variable(gap, CULPRIT_NAME_GLOBAL))
    name_variable(address, size, number, /*fixed=*/false);
}

void remove_names(uintptr_t address, uint64_t size) {
  uintptr_t end = address + size;
  uintptr_t granule = address & ~kInGranule;
  auto from = static_cast<unsigned>(address - granule);
  if (!size)
    return;
  if (from || end < granule + kGranule) {
    remove_part(granule, from,
                static_cast<unsigned>(end - granule < kGranule ? end - granule : kGranule));
    granule += kGranule;
  }
  uintptr_t last = end & ~kInGranule;
  if (granule < last) {
    if (tags_are_free())
      fill_tags(tags_of(granule), (last - granule) / kGranule, kUnwatched);
    else
      for (; granule < last; granule += kGranule)
        remove_part(granule, 0, kGranule);
    granule = last;
  }
  if (last == granule && last < end)
    remove_part(last, 0, static_cast<unsigned>(end - last));
}

uint64_t global_bytes() { return __atomic_load_n(&g_global_bytes, __ATOMIC_RELAXED); }

} // namespace culprit::access
