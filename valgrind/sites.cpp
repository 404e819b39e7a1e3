// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/sites.h"

#include "abi/access.h"
#include "valgrind/caller.h"
#include "valgrind/memory.h"
#include "valgrind/modules.h"
#include "valgrind/names.h"
#include "valgrind/record.h"
#include "valgrind/table.h"

namespace culprit::deep {

Options g_options;

namespace {

constexpr UInt kMostFrames = 64;

Map<Site *> g_sites; // of instructions
Map<Site *> g_calls; // of calls into system libraries, by the address they return to
Map<Pair *> g_pairs; // row << 32 | name
Array<Pair *> g_pairs_met;
UInt g_rows;
ULong g_met;  // pairs so far: the time axis of a run
ULong g_slow; // calls of touch()

Site *new_site(Addr address, UInt size, bool read) {
  auto *site = static_cast<Site *>(VG_(calloc)("culprit.site", 1, sizeof(Site)));
  site->address = address;
  site->size = static_cast<UShort>(size);
  site->read = read;
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

void bring_up_to_date(Slot &slot) {
  if (slot.pair != nullptr)
    slot.pair->count += slot.count;
  slot.count = 0;
}

void remember(Site &site, UInt name, Pair *pair) {
  Slot &slot = site.slots[slot_of(name)];
  bring_up_to_date(slot);
  slot = {.name = name, .padding = 0, .count = 0, .caller = g_caller.returns_to, .pair = pair};
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

void touch(Site *site, Addr address, SizeT size) {
  ++g_slow;
  Site *whose = nullptr;
  UInt names = 0;
  UInt only = 0; // the name, if it is one
  Pair *pair = nullptr;
  for (SizeT done = 0; done < size;) {
    const Piece piece = piece_at(address + done, size - done);
    const Addr at = address + done;
    done += piece.length;
    if (piece.name == 0)
      continue;
    ++names;
    only = piece.name;
    if (site->system && facts_of(piece.name).system)
      continue;
    if (whose == nullptr && (whose = responsible(site)) == nullptr)
      return;
    pair = meet(*whose, site->address, piece.name, at, piece.length);
    ++pair->count;
  }
  // One name and nothing else, of whole granules: the code before the access can know it again.
  if (names == 1 && g_options.shortcuts && word_at(address) == only)
    remember(*site, only, pair);
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
      for (Slot &slot : site->slots)
        bring_up_to_date(slot);
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
