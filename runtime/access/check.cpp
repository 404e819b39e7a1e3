// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h.
#include "runtime/access/check.h"

#include "runtime/access/counts.h"
#include "runtime/access/exact.h"
#include "runtime/access/periods.h"
#include "runtime/access/records.h"
#include "runtime/access/switch.h"
#include "runtime/access/watches.h"
#include "runtime/os/process.h"
#include "runtime/run_file/writer.h"

namespace culprit::access {

PairTable g_pairs;

namespace {

uint64_t g_slow;
uint64_t g_exact;
uint64_t g_lost;

// Lost counts of racing threads do not matter.
void count(uint64_t &counter) {
  __atomic_store_n(&counter, __atomic_load_n(&counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

// A child of vfork runs in our memory but must not write our file: what it meets stays unknown.
bool is_anothers_memory() {
  return run_file::is_open() && !run_file::is_own_file(os::process_id());
}

// `length` bytes from `address` on have the name; asked only for a new pair. False: it is
// neither known nor told.
template <typename Length>
bool meet(uint32_t row, const Row &info, Name name, uintptr_t address, uintptr_t frame,
          Length length) {
  if (g_pairs.has(info.first, name)) [[likely]]
    return true;
  if (is_anothers_memory())
    return false;
  bool added;
  if (!g_pairs.find_or_add(info.first, name, added)) {
    count(g_lost);
    return false;
  }
  if (added)
    append_access(row, name, address, length(), frame);
  return true;
}

// Bytes of a granule as bits.
using Bytes = uint32_t;
Bytes bytes_in(Touched range) { return (1u << range.to) - (1u << range.from); }

// Those of `bytes` that have a name the site did not meet.
Bytes unknown_bytes(const Row &info, const Names &names, Bytes bytes) {
  Bytes unknown = 0;
  Name last = 0;
  bool last_known = true;
  for (; bytes; bytes &= bytes - 1) {
    auto byte = static_cast<unsigned>(__builtin_ctz(bytes));
    Name name = names.of[byte];
    if (name != last) {
      last = name;
      last_known = !name || g_pairs.has(info.first, name);
    }
    if (!last_known)
      unknown |= 1u << byte;
  }
  return unknown;
}

// Those of `starts` whose accesses the row knows.
Starts known_starts(const Row &info, const Names &names, Starts starts) {
  Bytes wanted = 0;
  for (unsigned byte = 0; byte < kGranule; ++byte)
    if (starts >> byte & 1)
      wanted |= bytes_in(touched(info, byte));
  Bytes unknown = unknown_bytes(info, names, wanted);
  Starts known = 0;
  for (unsigned byte = 0; byte < kGranule; ++byte)
    if (starts >> byte & 1 && !(bytes_in(touched(info, byte)) & unknown))
      known = static_cast<Starts>(known | 1u << byte);
  return known;
}

// Every name of the bytes [from, to) of a granule. False: some pair is neither known nor told.
bool meet_all(uint32_t row, const Row &info, uintptr_t granule, Touched range, const Names &names,
              uintptr_t frame) {
  bool all = true;
  for (unsigned byte = range.from; byte < range.to; ++byte) {
    Name name = names.of[byte];
    if (!name || (byte > range.from && names.of[byte - 1] == name))
      continue;
    bool told = meet(row, info, name, granule + byte, frame, [&] {
      uint64_t length = 0;
      for (unsigned at = byte; at < range.to; ++at)
        length += names.of[at] == name;
      return length;
    });
    all = all && told;
  }
  return all;
}

// A row of a unit that found no place, or an address no program has.
bool is_beyond(uintptr_t address, uint32_t row) {
  return !has_tag(address) || row >= CULPRIT_NO_ROWS;
}

} // namespace

// Should a new period have begun meanwhile, the bits are of the old one.
void learn(uint32_t row, Tag tag, Starts bits, uint32_t period) {
  if (!bits)
    return;
  add_bits(row, tag, bits);
  if (current_period() != period)
    remove_bits(row, tag, bits);
}

bool create_check() { return g_pairs.create(); }

void check(uintptr_t address, uint32_t row, uintptr_t frame) {
  count(g_slow);
  if (is_beyond(address, row)) [[unlikely]]
    return count(g_lost);
  Tag tag = tag_at(address);
  if (!tag)
    return add_bits(row, tag, kAllStarts);
  auto byte = static_cast<unsigned>(address % kGranule);
  auto start = static_cast<Starts>(1u << byte);
  if (is_switched_off()) [[unlikely]]
    return pass_unseen(row, tag, start);
  uint32_t period = current_period();
  Row info = row_of(row);
  if (!info.size) [[unlikely]]
    return count(g_lost);
  uintptr_t granule = address - byte;
  Touched range = touched(info, byte);
  if (has_watches()) [[unlikely]]
    call_watchers(granule + range.from, range.to - range.from, !(info.flags & CULPRIT_ROW_READ),
                  frame);
  Names names;
  names_at(granule, tag, names);
  bool all_told = meet_all(row, info, granule, range, names, frame);
  Starts allowed = kAllStarts;
  if (is_counting())
    allowed = count_access(row, info, tag, byte, names);
  if (tag == kExact || is_watched_kind(tag))
    return count(g_exact);
  if (!all_told)
    return;
  // All that can be known: the code asks first whether each start of the granule is.
  Starts known = known_starts(info, names, allowed);
  learn(row, tag, known, period);
  if (!(known & start))
    count(g_exact);
}

namespace {

constexpr uint64_t kShortRange = 512;

struct Range {
  uintptr_t address;
  uint64_t size;
  uint32_t row;
  uintptr_t frame;

  uintptr_t end() const { return address + size; }
  Touched in_granule(uintptr_t granule) const {
    auto from = static_cast<unsigned>(address > granule ? address - granule : 0);
    auto to = static_cast<unsigned>(end() - granule < kGranule ? end() - granule : kGranule);
    return {from, to};
  }
};

uint64_t bytes_with_name(const Range &range, uintptr_t from, Name name) {
  uint64_t bytes = 0;
  for (uintptr_t granule = from & ~kInGranule; granule < range.end(); granule += kGranule) {
    Names names;
    names_at(granule, tag_at(granule), names);
    Touched part = range.in_granule(granule);
    for (unsigned byte = part.from; byte < part.to; ++byte)
      bytes += names.of[byte] == name;
  }
  return bytes;
}

// Counting flavours: the names a call met, each once. More than these are counted by none.
struct MetNames {
  static constexpr unsigned kMost = 512;
  Name names[kMost];
  unsigned count = 0;
  void add(Name name) {
    for (unsigned i = count; i > 0; --i)
      if (names[i - 1] == name)
        return;
    if (count < kMost)
      names[count++] = name;
  }
};

// One granule of the range. True: others with this tag need no look.
bool check_granule(const Range &range, const Row &info, uintptr_t granule, Tag tag, uint32_t period,
                   MetNames *met) {
  Names names;
  names_at(granule, tag, names);
  Touched part = range.in_granule(granule);
  bool whole = part.from == 0 && part.to == kGranule;
  if (met)
    for (unsigned byte = part.from; byte < part.to; ++byte)
      if (names.of[byte])
        met->add(names.of[byte]);
  if (tag != kExact && load_bits(range.row, tag) == kAllStarts)
    return whole || !met;
  bool all_told = true;
  for (unsigned byte = part.from; byte < part.to; ++byte) {
    Name name = names.of[byte];
    if (!name || (byte > part.from && names.of[byte - 1] == name))
      continue;
    bool told = meet(range.row, info, name, granule + byte, range.frame,
                     [&] { return bytes_with_name(range, granule + byte, name); });
    all_told = all_told && told;
  }
  if (tag == kExact || !all_told)
    return false;
  // In a counting flavour the bits of a row that also checks single accesses are its owner's.
  if (!is_watched_kind(tag) && (!met || info.flags & kRangesOnly))
    learn(range.row, tag, known_starts(info, names, kAllStarts), period);
  return whole;
}

// The first granule at or behind `granule` whose tag differs.
uintptr_t behind_equal(uintptr_t granule, uintptr_t end, Tag tag) {
  if (granule >= end)
    return granule;
  const Tag *from = tags_of(granule);
  const Tag *to = tags_of(end + kInGranule);
  return granule + static_cast<uintptr_t>(first_other(from, to, tag) - from) * kGranule;
}

[[gnu::noinline]] void check_parts(const Range &range, const Row &info, MetNames *met) {
  uint32_t period = current_period();
  uintptr_t granule = range.address & ~kInGranule;
  while (granule < range.end()) {
    Tag tag = tag_at(granule);
    Starts bits = met || tag == kExact ? Starts{0} : load_bits(range.row, tag);
    // A granule that others share, of which the range has its own part: the bits of that part.
    if (bits != kAllStarts && info.flags & kRangesOnly) {
      Bytes part = bytes_in(range.in_granule(granule));
      if ((bits & part) == part) {
        granule += kGranule;
        continue;
      }
    }
    bool settled =
        !tag || bits == kAllStarts || check_granule(range, info, granule, tag, period, met);
    granule += kGranule;
    if (!settled)
      continue;
    // The last granule may be touched in part: with fewer names, none of them new.
    granule = behind_equal(granule, range.end(), tag);
  }
}

[[gnu::noinline]] void count_range(const Range &range, const Row &info) {
  MetNames met;
  check_parts(range, info, &met);
  for (unsigned i = 0; i < met.count; ++i)
    count_name(range.row, met.names[i]);
}

// Is every byte known to the row of a range of at most kShortRange, by the bits alone? What is
// watched, looked up exactly or of nobody's row has none. This one sees it of a range all of whose
// granules but the last have one tag, and all bits. It asks one question at the end: lengths and
// what lies there differ from call to call, and where tags are waited for, each wrong guess would
// be another wait.
[[gnu::always_inline]] inline bool is_known_alike(uintptr_t address, uint64_t size, uint32_t row) {
  const uintptr_t end = address + size - 1;
  const Tag *first = tags_of(address);
  const Tag *last = tags_of(end);
  const Tag known = __atomic_load_n(first, __ATOMIC_RELAXED);
  uint32_t bits = __atomic_load_n(word_of(row, known), __ATOMIC_RELAXED);
  bits = first == last ? ~0u : bits;
  bits &= __atomic_load_n(word_of(row, __atomic_load_n(last, __ATOMIC_RELAXED)), __ATOMIC_RELAXED) |
          ~1u << (end % kGranule);
  return (bits == ~0u) & is_filled(first, static_cast<size_t>(last - first), known);
}

// The same of granules that differ.
bool is_known_range(uintptr_t address, uint64_t size, uint32_t row) {
  auto from = static_cast<unsigned>(address % kGranule);
  const Tag *tag = tags_of(address);
  const Tag *last = tags_of(address + size - 1);
  auto to = static_cast<unsigned>((address + size - 1) % kGranule + 1);
  Bytes first_part = bytes_in({from, tag == last ? to : static_cast<unsigned>(kGranule)});
  Tag known = __atomic_load_n(tag, __ATOMIC_RELAXED);
  if (first_part & ~load_bits(row, known))
    return false;
  if (tag == last)
    return true;
  ++tag;
  if (from == 0) // all of a granule with this tag was looked at
    tag = first_other(tag, last, known);
  while (tag < last) {
    known = __atomic_load_n(tag, __ATOMIC_RELAXED);
    if (load_bits(row, known) != kAllStarts)
      return false;
    tag = first_other(tag + 1, last, known);
  }
  return !(bytes_in({0, to}) & ~load_bits(row, __atomic_load_n(last, __ATOMIC_RELAXED)));
}

void check_all(uintptr_t address, uint64_t size, uint32_t row, uintptr_t frame) {
  Range range{address, size, row, frame};
  Row info = row_of(row);
  if (!info.size) [[unlikely]]
    return count(g_lost);
  if (is_switched_off()) [[unlikely]]
    return;
  if (has_watches()) [[unlikely]]
    call_watchers(address, size, !(info.flags & CULPRIT_ROW_READ), frame);
  if (is_counting())
    count_range(range, info);
  else
    check_parts(range, info, nullptr);
}

// Its arguments are check_range's own, so that this one is left without a frame.
[[gnu::noinline]] void check_mixed(uintptr_t address, uint64_t size, uint32_t row,
                                   uintptr_t frame) {
  if (!size)
    return;
  if (is_beyond(address, row) || !has_tag(address + size - 1) || address + size < address)
      [[unlikely]]
    return count(g_lost);
  if (size > kShortRange || is_counting() || !is_known_range(address, size, row))
    check_all(address, size, row, frame);
}

} // namespace

void check_range(uintptr_t address, uint64_t size, uint32_t row, uintptr_t frame) {
  // Of longer ones check_parts sees more at a time.
  if (size - 1 < kShortRange && !is_counting() && row < CULPRIT_NO_ROWS &&
      has_tag(address | (address + size - 1)) && is_known_alike(address, size, row)) [[likely]]
    return;
  check_mixed(address, size, row, frame);
}

CheckCounts check_counts() {
  return {__atomic_load_n(&g_slow, __ATOMIC_RELAXED), __atomic_load_n(&g_exact, __ATOMIC_RELAXED),
          __atomic_load_n(&g_lost, __ATOMIC_RELAXED)};
}

} // namespace culprit::access
