// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/memory.h"

#include "valgrind/members.h"
#include "valgrind/modules.h"
#include "valgrind/names.h"
#include "valgrind/table.h"
#include "valgrind/variable.h"

// The core's mmap, for what it does not manage; its public headers leave it out.
extern "C" SysRes VG_(am_do_mmap_NO_NOTIFY)(Addr start, SizeT length, UInt prot, UInt flags,
                                            Int file, Off64T offset);

// The core's way to ask the kernel.
extern "C" SysRes VG_(do_syscall)(UWord number, RegWord a, RegWord b, RegWord c, RegWord d,
                                  RegWord e, RegWord f, RegWord g, RegWord h);

namespace culprit::deep {

void prefer_large_pages(Addr start, SizeT length) {
  constexpr RegWord kHugePage = 14; // MADV_HUGEPAGE
  VG_(do_syscall)(__NR_madvise, start, length, kHugePage, 0, 0, 0, 0, 0);
}

UInt *g_words;
UInt g_address_bits;

bool create_memory() {
  // Above all that the core manages, below where the kernel puts things by itself. The core's own
  // way to get memory reserves all of it, which a machine with less memory refuses.
  constexpr Addr kWhere = 0x200000000000;
  constexpr UInt kMostBits = 37;
  constexpr UInt kLeastBits = 32;
  constexpr UInt kNoReplace = 0x100000; // the headers are older than that flag
  constexpr SizeT kBehind = 4096;       // a store of 32 bytes looks at four words
  for (g_address_bits = kMostBits; g_address_bits >= kLeastBits; --g_address_bits) {
    const SysRes made = VG_(am_do_mmap_NO_NOTIFY)(
        kWhere, limit() / kGranule * sizeof(UInt) + kBehind, VKI_PROT_READ | VKI_PROT_WRITE,
        VKI_MAP_PRIVATE | VKI_MAP_ANONYMOUS | VKI_MAP_NORESERVE | kNoReplace, -1, 0);
    if (!sr_isError(made) && sr_Res(made) == kWhere) {
      g_words = reinterpret_cast<UInt *>(kWhere);
      prefer_large_pages(kWhere, limit() / kGranule * sizeof(UInt));
      return true;
    }
  }
  return false;
}

namespace {

struct Pattern {
  UInt names[kGranule];
};

Array<Pattern> g_patterns; // by the number in their word, shifted
Map<UInt> g_pattern_words; // by a hash of the names; where another has that place, the next

constexpr UInt kPatternShift = 1; // kSlotBits begin there

UInt pattern_word(const Pattern &pattern) {
  ULong hash = 1;
  for (const UInt name : pattern.names)
    hash = (hash ^ name) * 0x9e3779b97f4a7c15u;
  for (hash |= 1;; hash += 2) {
    UInt &word = g_pattern_words[hash];
    if (word == 0) {
      // No word but 0 has place 0.
      while ((g_patterns.size << kPatternShift & kSlotBits) == 0)
        g_patterns.add({});
      word = kMixed | (g_patterns.size << kPatternShift & kNumber);
      g_patterns.add(pattern);
    }
    if (VG_(memcmp)(g_patterns[(word & kNumber) >> kPatternShift].names, pattern.names,
                    sizeof pattern.names) == 0)
      return word;
  }
}

// Of a granule without a block.
Pattern pattern_of(UInt word) {
  if ((word & kKind) == kMixed)
    return g_patterns[(word & kNumber) >> kPatternShift];
  Pattern pattern;
  for (UInt &name : pattern.names)
    name = (word & kKind) == 0 ? word : 0;
  return pattern;
}

} // namespace

void name_bytes(UInt *words, Addr start, SizeT length, UInt name) {
  const Addr end = start + length;
  for (Addr at = start; at < end;) {
    UInt &word = words[at / kGranule];
    const Addr next = (at / kGranule + 1) * kGranule;
    if (at % kGranule == 0 && next <= end) {
      word = name;
    } else {
      Pattern pattern = pattern_of(word);
      bool all = true;
      for (Addr byte = at; byte < next && byte < end; ++byte)
        pattern.names[byte % kGranule] = name;
      for (const UInt other : pattern.names)
        all &= other == name;
      word = all ? name : pattern_word(pattern);
    }
    at = next;
  }
}

namespace {

constexpr UInt kGapGranules = 2; // behind a block

bool is_inside(Addr start, SizeT size) { return start >= 64 && start + size + 64 < limit(); }

// The name of the first byte of a block that lived there; 0: none did.
UInt first_name(UInt word) {
  switch (word & kKind) {
  case kTail:
    return tail_number(word);
  case kMixed: {
    const UInt name = g_patterns[(word & kNumber) >> kPatternShift].names[0];
    return block_of(name) == name ? 0 : name; // small variables are no block
  }
  default:
    return (word & kKind) == 0 ? word : 0;
  }
}

// Of a block with members: do all bytes of the granule have names of this one, or is the end of it
// there?
bool is_of_block(UInt word, UInt block) {
  const UInt first = (word & kKind) == kTail ? 0 : first_name(word);
  return first != 0 && block_of(first) == block && first != block;
}

SizeT typed_block_size(Addr start, UInt block) {
  SizeT size = 0;
  while (is_of_block(word_at(start + size), block))
    size += kGranule;
  while (size != 0 && piece_at(start + size - 1, 1).name == block + 1)
    --size;
  return size;
}

} // namespace

void name_block(Addr start, SizeT size, SizeT before, UInt name) {
  if (!is_inside(start, size))
    return;
  UInt *word = &word_at(start);
  const UInt lived = first_name(word[0]);
  if (before > kGranule)
    word[-2] = kFront;
  word[-1] = kFront | kLive | (block_of(lived) == name ? word[-1] & kNumber : lived);
  SizeT end = (size + kGranule - 1) / kGranule;
  if (Variable *members = facts_of(name).members;
      members == nullptr || !put_members(*members, word, size)) {
    const SizeT whole = size / kGranule;
    for (SizeT i = 0; i < whole; ++i)
      word[i] = name;
    if (size % kGranule != 0)
      word[whole] = tail_word(static_cast<UInt>(size % kGranule), name);
  }
  for (UInt i = 0; i < kGapGranules; ++i)
    word[end + i] = name + 1;
}

bool is_block(Addr start) {
  return start % 16 == 0 && is_inside(start, 0) &&
         (word_at(start - kGranule) & (kKind | kLive)) == (kFront | kLive);
}

bool end_block(Addr start) {
  if (!is_block(start))
    return false;
  word_at(start - kGranule) &= ~kLive;
  return true;
}

SizeT block_size(Addr start) {
  const UInt first = word_at(start);
  if ((first & kKind) == kTail)
    return first >> kUsedShift & 7;
  if (const UInt name = first_name(first); block_of(name) != name)
    return typed_block_size(start, block_of(name));
  SizeT size = 0;
  // A block of no bytes begins with what is behind it, whose number is odd (names.h).
  while (word_at(start + size) == first && first % 2 == 0)
    size += kGranule;
  const UInt last = word_at(start + size);
  return (last & kKind) == kTail ? size + (last >> kUsedShift & 7) : size;
}

Piece piece_at(Addr address, SizeT length) {
  if (address >= limit())
    return {0, length};
  const SizeT in_granule = kGranule - address % kGranule;
  const SizeT here = length < in_granule ? length : in_granule;
  const UInt word = word_at(address);
  switch (word & kKind) {
  case kFront:
    return {kNoObject, here};
  case kTail: {
    const UInt used = word >> kUsedShift & 7;
    const UInt at = address % kGranule;
    if (at >= used)
      return {tail_number(word) + 1, here};
    return {tail_number(word), here < used - at ? here : used - at};
  }
  case kMixed: {
    const UInt *names = g_patterns[(word & kNumber) >> kPatternShift].names + address % kGranule;
    SizeT same = 1;
    while (same < here && names[same] == *names)
      ++same;
    return {*names, same};
  }
  default:
    break;
  }
  SizeT got = here;
  while (got < length && address + got < limit() && word_at(address + got) == word)
    got += kGranule;
  return {word, got < length ? got : length};
}

namespace {

bool is_of(Addr address, const Variable &variable) {
  const UInt name = piece_at(address, 1).name;
  return name != 0 && name != kNoObject && facts_of(name).variable == &variable;
}

// The name nearest before an address in a frame: between variables there is padding, and between
// them and the saved registers what the compiler keeps for itself. A return address there is that
// of a function that is called, unless it is `own`.
UInt nearest_before(Addr address, const Variable *own) {
  constexpr UInt kFar = 64;
  for (UInt back = 1; back <= kFar; ++back)
    if (const UInt name = piece_at(address - back, 1).name; name != 0) {
      const Variable *variable = name == kNoObject ? nullptr : facts_of(name).variable;
      const bool is_slot = variable != nullptr && variable->kind == VariableKind::return_slot;
      return is_slot && variable != own ? 0 : name;
    }
  return 0;
}

// Who lived where a block is: a name of it, or of its members that which lies so far inside.
UInt previous_at(UInt front, SizeT offset) {
  const UInt lived = front & kNumber;
  const Variable *variable = facts_of(lived).variable;
  if (variable == nullptr || variable->kind != VariableKind::block)
    return lived;
  Variable blocks = *variable;
  blocks.size = limit();
  return stretch_of(blocks, offset).name;
}

Extent extent_of_member(Addr address, const Variable &members) {
  Addr start = address & ~static_cast<Addr>(kGranule - 1);
  while (is_of_block(word_at(start - kGranule), members.block))
    start -= kGranule;
  Variable blocks = members;
  blocks.size = block_size(start);
  const UInt front = word_at(start - kGranule);
  if ((front & kKind) != kFront) // a new block covers its beginning
    return {start, blocks.size, 0, 0};
  const Stretch stretch = stretch_of(blocks, address - start);
  return {start, blocks.size,
          stretch.start == 0 ? kNoObject : piece_at(start + stretch.start - 1, 1).name,
          previous_at(front, address - start)};
}

// Behind a block: what is before it is the block, or its last member.
UInt last_of_block(Addr address, UInt behind) {
  constexpr UInt kFar = (kGapGranules + 1) * kGranule;
  for (UInt back = 1; back <= kFar; ++back)
    if (const UInt name = piece_at(address - back, 1).name; name != behind)
      return block_of(name) == behind - 1 ? name : behind - 1;
  return behind - 1;
}

Extent extent_of_variable(Addr address, const Variable &variable, UInt member) {
  if (variable.kind == VariableKind::return_slot) {
    Addr start = address & ~static_cast<Addr>(kGranule - 1);
    while (member == kSaved && piece_at(start - 1, 1).name == variable.saved)
      start -= kGranule;
    return {start, kGranule, nearest_before(start, &variable), 0};
  }
  Addr start = variable.address;
  if (variable.kind == VariableKind::local)
    for (start = address; address - start < variable.size && is_of(start - 1, variable);)
      --start;
  const Stretch stretch = stretch_of(variable, address - start);
  UInt before = 0;
  if (stretch.start != 0)
    before = piece_at(start + stretch.start - 1, 1).name;
  else
    before = variable.kind == VariableKind::local ? nearest_before(start, nullptr)
                                                  : name_before(variable);
  return {start, variable.size, before, 0};
}

} // namespace

Extent extent_of(Addr address, UInt name) {
  if (name == kNoObject)
    return {address, 0, 0, 0};
  if (const NameFacts &facts = facts_of(name);
      facts.variable != nullptr && facts.variable->kind == VariableKind::block)
    return extent_of_member(address, *facts.variable);
  else if (facts.variable != nullptr)
    return extent_of_variable(address, *facts.variable, facts.member);
  if (name % 2 != 0)
    return {address, 0, last_of_block(address, name), 0};
  Addr start = address & ~static_cast<Addr>(kGranule - 1);
  while ((word_at(start - kGranule) & kKind) == 0 && word_at(start - kGranule) == name)
    start -= kGranule;
  const UInt front = word_at(start - kGranule);
  const bool whole = (front & kKind) == kFront; // else a new block covers its beginning
  return {start, block_size(start), whole ? kNoObject : 0,
          whole ? previous_at(front, address - start) : 0};
}

} // namespace culprit::deep
