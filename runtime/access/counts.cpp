// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See counts.h.
#include "runtime/access/counts.h"

#include "runtime/access/pairs.h"
#include "runtime/access/records.h"
#include "runtime/os/memory.h"
#include "runtime/os/process.h"
#include "runtime/run_file/writer.h"

namespace culprit::access {
namespace {

PairTable g_owners; // (row, tag) → byte of the first access + 1, and above it: counted slowly
PairTable g_slow;   // (row, name) → counted slowly, or taken from the words
constexpr unsigned kOwnerBits = 8;
constexpr uint64_t kOwnerMask = (1u << kOwnerBits) - 1;

constexpr size_t kWords = (size_t{CULPRIT_COUNT_TABLE_SIZE} + os::kOsPage - 1) & ~(os::kOsPage - 1);

// The same names in the same order, each once.
struct Met {
  Name names[kGranule];
  unsigned count;
  bool operator==(const Met &other) const {
    if (count != other.count)
      return false;
    for (unsigned i = 0; i < count; ++i)
      if (names[i] != other.names[i])
        return false;
    return true;
  }
};

Met met_by(const Names &names, Touched bytes) {
  Met met{};
  for (unsigned byte = bytes.from; byte < bytes.to; ++byte) {
    Name name = names.of[byte];
    bool known = !name;
    for (unsigned i = 0; i < met.count && !known; ++i)
      known = met.names[i] == name;
    if (!known)
      met.names[met.count++] = name;
  }
  return met;
}

// Does instrumented code add one to the word for an access at this byte?
bool is_counted(const Row &info, unsigned byte) {
  return !(info.flags & CULPRIT_ROW_TAIL) || byte + 1u < info.size;
}

// Where accesses begin that are either not counted or meet what owns the word; `owned` null: nobody
// does yet.
Starts starts_of_owner(const Row &info, const Names &names, const Met *owned) {
  auto fits = [&](unsigned byte) {
    return !is_counted(info, byte) || (owned && met_by(names, touched(info, byte)) == *owned);
  };
  Starts starts = 0;
  for (unsigned byte = 0; byte < kGranule; ++byte)
    if (fits(byte))
      starts = static_cast<Starts>(starts | 1u << byte);
  return starts;
}

void add_slowly(uint32_t row, Name name, uint64_t count) {
  bool added;
  if (PairTable::Entry *entry = g_slow.find_or_add(row, name, added))
    __atomic_fetch_add(&entry->value, count, __ATOMIC_RELAXED);
}

uint64_t *word_of(uint32_t row, Tag tag) {
  return reinterpret_cast<uint64_t *>(culprit_count(row) + uint64_t{tag} * 8);
}

// The words become counts of names; they and what is taken from them start again from zero.
void empty_words() {
  g_owners.for_each([](PairTable::Entry &entry) {
    uint32_t row = PairTable::first_of(entry.key);
    auto tag = static_cast<Tag>(PairTable::second_of(entry.key));
    uint64_t value = __atomic_fetch_and(&entry.value, kOwnerMask, __ATOMIC_RELAXED);
    uint64_t counted = __atomic_exchange_n(word_of(row, tag), 0, __ATOMIC_RELAXED);
    uint64_t slowly = value >> kOwnerBits;
    if (tag == kExact || !(value & kOwnerMask) || counted <= slowly)
      return;
    Names names;
    names_of_kind(tag, names);
    auto byte = static_cast<unsigned>((value & kOwnerMask) - 1);
    Met met = met_by(names, touched(row_of(row), byte));
    for (unsigned i = 0; i < met.count; ++i)
      add_slowly(row, met.names[i], counted - slowly);
  });
}

struct Rows {
  static constexpr uint32_t kMost = 512;
  culprit_count_row of[kMost];
  uint32_t count;
};

void append_rows(Rows &rows) {
  culprit_record_counts record{rows.count, 0};
  run_file::Part parts[] = {{&record, sizeof record}, {rows.of, rows.count * sizeof rows.of[0]}};
  run_file::append(CULPRIT_RECORD_counts, parts, 2);
  rows.count = 0;
}

} // namespace

bool create_counts() {
  return !is_counting() ||
         (g_owners.create() && g_slow.create() && os::map_sparse(CULPRIT_COUNT_BASE, kWords));
}

Starts count_access(uint32_t row, const Row &info, Tag tag, unsigned byte, const Names &names) {
  bool counted = is_counted(info, byte);
  Met met = met_by(names, touched(info, byte));
  bool added;
  PairTable::Entry *entry = tag == kExact ? nullptr : g_owners.find_or_add(row, tag, added);
  if (entry) {
    uint64_t value = __atomic_load_n(&entry->value, __ATOMIC_RELAXED);
    // Whoever is counted first owns the word.
    while (counted && !(value & kOwnerMask)) {
      uint64_t with_owner = value | (byte + 1);
      if (__atomic_compare_exchange_n(&entry->value, &value, with_owner, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        value = with_owner;
    }
    if (!(value & kOwnerMask))
      return starts_of_owner(info, names, nullptr);
    Met owned = met_by(names, touched(info, static_cast<unsigned>(value & kOwnerMask) - 1));
    if (!counted || met == owned)
      return starts_of_owner(info, names, &owned);
    __atomic_fetch_add(&entry->value, uint64_t{1} << kOwnerBits, __ATOMIC_RELAXED);
  }
  for (unsigned i = 0; counted && i < met.count; ++i)
    add_slowly(row, met.names[i], 1);
  return 0;
}

void count_name(uint32_t row, Name name) { add_slowly(row, name, 1); }

void take_counts(void (*visit)(void *, const culprit_count_row &), void *argument) {
  if (!is_counting())
    return;
  empty_words();
  g_slow.for_each([&](PairTable::Entry &entry) {
    uint64_t times = __atomic_exchange_n(&entry.value, 0, __ATOMIC_RELAXED);
    if (times)
      visit(argument, {PairTable::first_of(entry.key), PairTable::second_of(entry.key), times});
  });
}

void append_counts() {
  if (!run_file::is_own_file(os::process_id()))
    return; // a child of vfork must not take its parent's counts
  Rows rows{};
  take_counts(
      [](void *argument, const culprit_count_row &row) {
        auto &to = *static_cast<Rows *>(argument);
        tell_name(row.name);
        to.of[to.count++] = row;
        if (to.count == Rows::kMost)
          append_rows(to);
      },
      &rows);
  if (rows.count)
    append_rows(rows);
}

uint64_t count_entries() { return g_owners.count() + g_slow.count(); }

void clear_counts() {
  if (!is_counting())
    return;
  g_owners.clear();
  g_slow.clear();
  os::purge(reinterpret_cast<char *>(CULPRIT_COUNT_BASE), kWords);
}

} // namespace culprit::access
