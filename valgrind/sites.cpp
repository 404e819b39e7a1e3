// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/sites.h"

#include "abi/access.h"
#include "valgrind/caller.h"
#include "valgrind/memory.h"
#include "valgrind/modules.h"
#include "valgrind/names.h"
#include "valgrind/record.h"
#include "valgrind/stack.h"
#include "valgrind/table.h"

namespace culprit::deep {

Options g_options;

namespace {

constexpr UInt kMostFrames = 64;

Map<Site *> g_sites; // of instructions
Map<Site *> g_calls; // of calls into system libraries, by the address they return to
Map<Pair *> g_pairs; // row << 32 | name
Array<Pair *> g_pairs_met;
Array<Site *> g_renewed; // are to have another table
UInt g_rows;
ULong g_met;  // pairs so far: the time axis of a run
ULong g_slow; // calls of touch()

// Of the bytes of a granule, those at which an access may not start that is to lie between `from`
// and `to`. Larger ones are compared with whole granules, and need none.
UInt bad_starts(UInt size, UInt from, UInt to) {
  UInt bad = 0;
  for (UInt start = 0; size < kGranule && start < kGranule; ++start)
    if (start < from || start + size > to)
      bad |= 1u << start;
  return bad;
}

ULong key_of(UInt word, UInt bad) { return static_cast<ULong>(word) << kKeyShift | bad; }

// `is_wide`: the granules are looked at from the first byte to the last.
Slots *new_slots(Site *site, UInt bits, bool is_wide) {
  auto *slots = static_cast<Slots *>(VG_(calloc)("culprit.slots", 1, sizeof(Slots)));
  slots->site = site;
  slots->bits = bits;
  slots->is_wide = is_wide;
  const UInt count = slots->count();
  slots->slots = static_cast<Slot *>(VG_(calloc)("culprit.slot", count, sizeof(Slot)));
  if (is_wide)
    slots->lasts = static_cast<ULong *>(VG_(calloc)("culprit.lasts", count, sizeof(ULong)));
  slots->callers = static_cast<Addr *>(VG_(calloc)("culprit.callers", count, sizeof(Addr)));
  slots->pairs = static_cast<Pair **>(VG_(calloc)("culprit.pairs", count, sizeof(Pair *)));
  slots->together =
      static_cast<Together **>(VG_(calloc)("culprit.together", count, sizeof(Together *)));
  slots->slots[0].key = key_of(0, is_wide ? 0 : bad_starts(site->size, 0, kGranule));
  return slots;
}

Site *new_site(Addr address, UInt size, bool read) {
  auto *site = static_cast<Site *>(VG_(calloc)("culprit.site", 1, sizeof(Site)));
  site->address = address;
  site->size = static_cast<UShort>(size);
  site->read = read;
  site->slots = new_slots(site, kSlotBits, false);
  return site;
}

// Addresses take 47 bits, sizes up to 512 bytes ten more.
ULong site_key(Addr address, UInt size, bool read) {
  return address << 17 | static_cast<ULong>(size & 0xffff) << 1 | (read ? 1 : 0);
}

Site *call_site(Addr returns_to, Addr inside, bool read) {
  Site *&site = g_calls[returns_to << 1 | (read ? 1 : 0)];
  if (site == nullptr) {
    site = new_site(returns_to, 0, read);
    site->is_call = true;
    site->inside = inside;
  }
  return site;
}

void tell_site(Site &site) {
  if (site.row != 0)
    return;
  site.row = ++g_rows;
  culprit_record_native_access told = {};
  told.row = site.row - 1;
  told.flags = static_cast<UShort>((site.read ? CULPRIT_ROW_READ : 0u) |
                                   (site.direct ? CULPRIT_ROW_DIRECT : 0u));
  told.size = site.size;
  told.is_call = site.is_call;
  told.address = site.address;
  told.inside = site.inside;
  write_record(CULPRIT_RECORD_native_access, {&told, sizeof told});
}

void tell_pair(const Site &site, Addr instruction, UInt name, Addr address, SizeT length) {
  const Extent extent = extent_of(address, name);
  tell_name(name);
  tell_name(extent.before);
  tell_name(extent.previous);
  Addr addresses[kMostFrames];
  const ThreadId thread = VG_(get_running_tid)();
  UInt depth = 0;
  if (thread != VG_INVALID_THREADID)
    depth = call_stack(thread, instruction, addresses,
                       g_options.depth < kMostFrames ? g_options.depth : kMostFrames);
  culprit_record_access told = {};
  told.row = site.row - 1;
  told.name = name;
  told.length = static_cast<UInt>(length);
  told.address = address;
  told.start = extent.start;
  told.size = extent.size;
  told.before = extent.before;
  told.previous = extent.previous;
  told.work = ++g_met;
  told.depth = depth;
  write_record(CULPRIT_RECORD_access, {&told, sizeof told}, {addresses, depth * sizeof(Addr)});
}

Pair *meet(Site &site, Addr instruction, UInt name, Addr address, SizeT length) {
  tell_site(site);
  Pair *&pair = g_pairs[static_cast<ULong>(site.row) << 32 | name];
  if (pair == nullptr) {
    auto *made = static_cast<Pair *>(VG_(malloc)("culprit.pair", sizeof(Pair)));
    *made = {.count = 0, .row = site.row - 1, .name = name};
    pair = made;
    g_pairs_met.add(made);
    tell_pair(site, instruction, name, address, length);
    return made;
  }
  return pair;
}

void bring_up_to_date(Slots &slots, UInt slot) {
  if (slots.pairs[slot] != nullptr)
    slots.pairs[slot]->count += slots.slots[slot].count;
  if (const Together *all = slots.together[slot])
    for (UInt i = 0; i < all->count; ++i)
      all->pairs[i]->count += slots.slots[slot].count;
  slots.slots[slot].count = 0;
}

constexpr UInt kOften = 200;
constexpr UInt kMostSlots = 1u << 14;

void note_clash(Slots &slots) {
  if (++slots.clashes == kOften && slots.count() < kMostSlots)
    g_renewed.add(slots.site);
}

void note_across(Slots &slots) {
  if (++slots.across == kOften && !slots.is_wide)
    g_renewed.add(slots.site);
}

void renew(Site &site) {
  Slots &old = *site.slots;
  const bool grows = old.clashes >= kOften && old.count() < kMostSlots;
  const UInt bits = grows ? old.bits << 3 | old.bits : old.bits;
  for (UInt i = 1; i < old.count(); ++i) {
    bring_up_to_date(old, i);
    old.pairs[i] = nullptr; // nothing is counted there any more
    old.together[i] = nullptr;
  }
  site.slots = new_slots(&site, bits, old.is_wide || old.across >= kOften);
  VG_(discard_translations)(site.address, 1, "culprit");
}

// All of the granule around the address that has the name, as bytes of it.
struct Span {
  UInt from;
  UInt to;
};
Span span_of(Addr address, UInt name) {
  const Addr granule = address & ~static_cast<Addr>(kGranule - 1);
  Span span = {.from = static_cast<UInt>(address - granule), .to = kGranule};
  while (span.from > 0 && piece_at(granule + span.from - 1, 1).name == name)
    --span.from;
  const auto start = static_cast<UInt>(address - granule);
  for (UInt at = start; at < kGranule; ++at)
    if (piece_at(granule + at, 1).name != name) {
      span.to = at;
      break;
    }
  return span;
}

// What the code before an access of a wide table compares with Slots::lasts.
ULong last_words(Addr address, SizeT size) {
  const ULong last = word_at(address + size - 1);
  return size == 2 * kGranule ? last << 32 | word_at(address + kGranule) : last;
}

// The slot of the word, now for accesses that do not start at `bad` bytes; null: none is free.
void take_slot(Slots &slots, Addr address, SizeT size, UInt bad, Pair *pair, Together together) {
  const UInt word = word_at(address);
  const UInt slot = slots.slot_of(word);
  bring_up_to_date(slots, slot);
  Slot &taken = slots.slots[slot];
  if (taken.key != 0 && static_cast<UInt>(taken.key >> kKeyShift) != word)
    note_clash(slots);
  taken.key = key_of(word, bad);
  if (slots.is_wide)
    slots.lasts[slot] = last_words(address, size);
  slots.callers[slot] = g_caller.returns_to;
  slots.pairs[slot] = pair;
  if (together.count != 0 && slots.together[slot] == nullptr)
    slots.together[slot] =
        static_cast<Together *>(VG_(calloc)("culprit.together", 1, sizeof(Together)));
  if (slots.together[slot] != nullptr)
    *slots.together[slot] = together;
}

bool is_across(Addr address, SizeT size) {
  const Addr start = address % kGranule;
  return size > kGranule ? start != 0 : start + size > kGranule;
}

// The whole access met this name, and nothing else: the code before the next one can know it again.
void remember(Site &site, Addr address, SizeT size, UInt name, Pair *pair) {
  Slots &slots = *site.slots;
  const UInt word = word_at(address);
  if ((word & kSlotBits) == 0)
    return; // that slot is taken
  const auto start = static_cast<UInt>(address % kGranule);
  UInt bad = 0;
  if (is_across(address, size)) {
    note_across(slots);
    if (!slots.is_wide)
      return;
    // The words and the start say what it meets.
    if (word != name || word_at(address + size - 1) != name || word_at(address + size / 2) != name)
      bad = 0xff & ~(1u << start);
  } else if (word == name) {
    bad = slots.is_wide ? 0 : bad_starts(static_cast<UInt>(size), 0, kGranule);
  } else if (size < kGranule) {
    const Span span = span_of(address, name);
    bad = bad_starts(static_cast<UInt>(size), span.from, span.to);
  } else {
    return; // not whole granules
  }
  take_slot(slots, address, size, bad, pair, {});
}

// It met several names, or bytes without one: members that are written together. It is known again
// where the words and the start say the same.
void remember_together(Site &site, Addr address, SizeT size, const Together &met) {
  Slots &slots = *site.slots;
  const UInt word = word_at(address);
  if ((word & kSlotBits) == 0)
    return;
  bool repeats = true; // all granules are alike: what the code looks at without a wide table
  for (SizeT at = kGranule; at < size; at += kGranule)
    repeats &= word_at(address + at) == word;
  if (is_across(address, size) || !repeats) {
    if (size > 2 * kGranule)
      return;
    note_across(slots);
    if (!slots.is_wide)
      return;
  }
  const bool compares_start = slots.is_wide || size < kGranule;
  take_slot(slots, address, size, compares_start ? 0xff & ~(1u << address % kGranule) : 0, nullptr,
            met);
}

// Whose access it is: the instruction's own, or that of the call into system code.
Site *responsible(Site *site) {
  if (!site->system)
    return site;
  const Addr returns_to = calling_site(VG_(get_running_tid)(), site->address);
  return returns_to == 0 ? nullptr : call_site(returns_to, site->address, site->read);
}

} // namespace

Site *site_of(Addr instruction, UInt size, bool read, bool direct) {
  Site *&site = g_sites[site_key(instruction, size, read)];
  if (site == nullptr) {
    site = new_site(instruction, size, read);
    site->system = is_system_code(instruction);
    site->direct = direct;
  }
  site->direct &= direct; // a translation that begins elsewhere may know less
  return site;
}

void forget_sites(Addr start, SizeT length) {
  for (ULong i = 0; i < g_sites.room; ++i)
    if (Site *&site = g_sites.entries[i].value; site != nullptr && site->address - start < length)
      site = nullptr; // others may lie here tomorrow; its pairs are told
}

void renew_tables() {
  for (UInt i = 0; i < g_renewed.size; ++i)
    renew(*g_renewed[i]);
  g_renewed.size = 0;
}

void touch(Site *site, Addr address, SizeT size) {
  ++g_slow;
  Site *whose = nullptr;
  UInt names = 0;
  UInt only = 0;     // the name, if it is one
  SizeT covered = 0; // bytes that have one
  Pair *pair = nullptr;
  Together met{};
  bool is_too_much = false;
  for (SizeT done = 0; done < size;) {
    const Piece piece = piece_at(address + done, size - done);
    const Addr at = address + done;
    done += piece.length;
    if (piece.name == 0)
      continue;
    covered += piece.length;
    if (names != 0 && piece.name == only)
      continue; // the end of a block is a piece of its own
    ++names;
    only = piece.name;
    const NameFacts &facts = facts_of(piece.name);
    if ((site->system && facts.system) ||
        (facts.variable != nullptr && facts.variable->kind == VariableKind::return_slot &&
         is_unwinder(site->address)))
      continue;
    if (whose == nullptr && (whose = responsible(site)) == nullptr)
      return;
    pair = meet(*whose, site->address, piece.name, at, piece.length);
    ++pair->count;
    if (met.count < kMostTogether)
      met.pairs[met.count++] = pair;
    else
      is_too_much = true;
  }
  // What the kernel writes has no size, and no code before it that looks.
  if (!g_options.shortcuts || size != site->size || !is_looked_at(site->size) ||
      address + size > limit())
    return;
  if (names == 1 && covered == size)
    remember(*site, address, size, only, pair);
  else if (!is_too_much)
    remember_together(*site, address, size, met);
}

void touch_after_look(Slots *slots, Addr address) {
  if (g_options.counts) // not there: what it looked at is another name, or not all of it
    --slots->slots[slots->slot_of(folded_word_at(address))].count;
  touch(slots->site, address, slots->site->size);
}

void touch_by_kernel(ThreadId thread, Addr address, SizeT size) {
  constexpr Addr kLength = 2; // of the instruction that asks the kernel
  const Addr instruction = VG_(get_IP)(thread) - kLength;
  Site asks = {}; // every time anew: what the kernel wrote last says nothing
  asks.address = instruction;
  asks.system = true;
  if (is_system_code(instruction))
    touch(&asks, address, size);
  else
    touch(site_of(instruction, 0, false, false), address, size);
}

void tell_end() {
  constexpr UInt kRows = 4096;
  static culprit_count_row rows[kRows];
  for (ULong i = 0; i < g_sites.room; ++i)
    if (Site *site = g_sites.entries[i].value; site != nullptr)
      for (UInt slot = 0; slot < site->slots->count(); ++slot)
        bring_up_to_date(*site->slots, slot);
  for (UInt at = 0; g_options.counts && at < g_pairs_met.size;) {
    culprit_record_counts counts = {};
    for (; counts.count < kRows && at < g_pairs_met.size; ++at)
      rows[counts.count++] = {.row = g_pairs_met[at]->row,
                              .name = g_pairs_met[at]->name,
                              .count = g_pairs_met[at]->count};
    write_record(CULPRIT_RECORD_counts, {&counts, sizeof counts},
                 {rows, counts.count * sizeof(culprit_count_row)});
  }
  culprit_record_watch watch = {};
  watch.slow = g_slow;
  watch.names = names_so_far();
  watch.pairs = g_pairs_met.size;
  write_record(CULPRIT_RECORD_watch, {&watch, sizeof watch});
}

} // namespace culprit::deep
