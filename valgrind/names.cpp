// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/names.h"

#include "abi/access.h"
#include "abi/monitor.h"
#include "valgrind/described.h"
#include "valgrind/members.h"
#include "valgrind/memory.h"
#include "valgrind/modules.h"
#include "valgrind/record.h"
#include "valgrind/sites.h"
#include "valgrind/table.h"
#include "valgrind/variable.h"
#include "valgrind/walks.h"

namespace culprit::deep {
namespace {

constexpr UInt kChain = 4;
constexpr UInt kFewFrames = kChain + 1;
constexpr UInt kFrames = 10; // of a stack that is looked through for them
static_assert(kFrames <= Walk::kMost);

Array<NameFacts> g_facts;
NameFacts g_no_object;
Map<UInt> g_sites; // address a call returns to → its number
UInt g_site_count;
Map<UInt> g_blocks[2]; // chain + 1 → name; [1]: the C library allocated it
UInt g_variables_told;
Map<UInt> g_members; // of heap blocks: what describes the call, and the member → number in the file
UInt g_members_told;

UInt site_number(Addr address) {
  UInt &number = g_sites[address];
  if (number == 0 && g_site_count < CULPRIT_LARGEST_SITE) {
    number = ++g_site_count;
    const culprit_record_native_site told = {.number = number, .padding = 0, .address = address};
    write_record(CULPRIT_RECORD_native_site, {&told, sizeof told});
  }
  return number;
}

UInt add_name(const NameFacts &facts) {
  while ((g_facts.size & kNumberBits) == 0) // memory.h
    g_facts.add({});
  g_facts.add(facts);
  return g_facts.size - 1;
}

UInt native_kind(const Variable &variable, UInt member) {
  if (variable.kind == VariableKind::return_slot)
    return member == kSaved ? CULPRIT_NATIVE_SAVED : CULPRIT_NATIVE_RETURN;
  return variable.kind == VariableKind::local ? CULPRIT_NATIVE_LOCAL : CULPRIT_NATIVE_GLOBAL;
}

void tell_symbol(UInt number, const Variable &variable, UInt member) {
  const culprit_record_native_variable told = {.number = number,
                                               .internal = variable.internal,
                                               .address = variable.address,
                                               .size = variable.size,
                                               .name_length =
                                                   static_cast<UInt>(VG_(strlen)(variable.symbol)),
                                               .kind = native_kind(variable, member)};
  write_record(CULPRIT_RECORD_native_variable, {&told, sizeof told},
               {variable.symbol, told.name_length});
}

using Texts = const HChar *const[CULPRIT_NATIVE_TEXTS];

void tell_object(culprit_record_native_object told, const Texts &texts) {
  static HChar room[CULPRIT_NATIVE_TEXTS * (CULPRIT_NATIVE_TEXT + 1)];
  UInt length = 0;
  for (const HChar *text : texts) {
    for (UInt i = 0; text[i] != '\0' && i < CULPRIT_NATIVE_TEXT; ++i)
      room[length++] = text[i];
    room[length++] = '\0';
  }
  told.text_length = length;
  write_record(CULPRIT_RECORD_native_object, {&told, sizeof told}, {room, length});
}

void tell_described(UInt number, const Variable &variable, UInt member) {
  const culprit_names_variable &known = *variable.described;
  tell_object({.number = number,
               .kind = native_kind(variable, member),
               .size = variable.size,
               .internal = known.internal,
               .line = known.line,
               .text_length = 0,
               .padding = 0},
              {described_text(known.name), described_text(known.function),
               described_text(known.file), described_text(known.type),
               member == kNoMember ? "" : described_member(*variable.layout, member)});
}

void tell_context(UInt block) {
  if (facts_of(block).context_told)
    return;
  facts_of(block).context_told = true;
  const culprit_record_context context = {
      .number = block, .padding = 0, .chain = facts_of(block).chain};
  write_record(CULPRIT_RECORD_context, {&context, sizeof context});
}

// The member of a type, once for all contexts that have it from one call. From 1.
UInt member_number(const Variable &blocks, UInt member) {
  constexpr UInt kMemberBits = 9;
  static_assert(CULPRIT_LAYOUT_MEMBERS < 1u << kMemberBits);
  UInt &number = g_members[blocks.address << kMemberBits | member];
  if (number != 0)
    return number;
  number = ++g_members_told;
  tell_object({.number = number - 1,
               .kind = CULPRIT_NATIVE_BLOCK,
               .size = blocks.layout->size,
               .internal = 0,
               .line = 0,
               .text_length = 0,
               .padding = 0},
              {"", "", "", blocks.symbol, described_member(*blocks.layout, member)});
  return number;
}

void tell_member(UInt name, const Variable &blocks, UInt member) {
  const UInt number = member_number(blocks, member);
  tell_context(blocks.block);
  culprit_record_name record = {};
  record.number = name;
  record.kind = CULPRIT_NAME_HEAP;
  record.unit = CULPRIT_NATIVE_UNIT;
  record.object = blocks.block;
  record.layout = number;
  record.member = 0;
  write_record(CULPRIT_RECORD_name, {&record, sizeof record});
}

void tell_variable(UInt name, const Variable &variable, UInt member) {
  const UInt number = g_variables_told++;
  if (variable.described != nullptr)
    tell_described(number, variable, member);
  else
    tell_symbol(number, variable, member);
  culprit_record_name record = {};
  record.number = name;
  record.kind = variable.kind == VariableKind::global ? CULPRIT_NAME_GLOBAL : CULPRIT_NAME_LOCAL;
  record.unit = CULPRIT_NATIVE_UNIT;
  record.object = number;
  record.member = CULPRIT_NO_MEMBER;
  write_record(CULPRIT_RECORD_name, {&record, sizeof record});
}

} // namespace

UInt new_name() { return add_name({}); }

NameFacts &facts_of(UInt name) { return name == kNoObject ? g_no_object : g_facts[name]; }

UInt names_so_far() { return g_facts.size; }

UInt block_of(UInt name) {
  const Variable *variable = facts_of(name).variable;
  return variable != nullptr && variable->kind == VariableKind::block ? variable->block : name;
}

UInt name_of_allocation(ThreadId thread) {
  if (const UInt known = g_options.shortcuts ? known_name(thread) : 0; known != 0)
    return known;
  Walk walk;
  ULong chain = 0;
  UInt taken = 0;
  UInt used = 1;
  bool by_library = false;
  // Far only where libraries are on the stack.
  for (UInt room = kFewFrames; room <= kFrames; room += kFrames - kFewFrames) {
    walk.depth = VG_(get_StackTrace)(thread, walk.instructions, room, walk.stacks, walk.frames, 0);
    chain = taken = 0;
    for (used = 1; used < walk.depth && taken < kChain; ++used) { // the first is Valgrind's malloc
      const Module *module = module_at(walk.instructions[used]);
      if (module == nullptr) { // behind the first function there are words that are no code
        room = kFrames;
        break;
      }
      if (module->system) {
        by_library |= taken == 0 && module->c_library;
        continue;
      }
      // The core has subtracted one, to be inside the call.
      chain |= static_cast<ULong>(site_number(walk.instructions[used] + 1)) << (16 * taken++);
    }
    if (taken == kChain || walk.depth < room)
      break;
  }
  UInt &name = g_blocks[by_library ? 1 : 0][chain + 1];
  if (name == 0) {
    if (g_facts.size % 2 != 0)
      g_facts.add({}); // left out: a block's number is even
    name = add_name({.variable = nullptr,
                     .member = kNoMember,
                     .chain = chain,
                     .system = by_library,
                     .told = false});
    add_name(
        {.variable = nullptr, .member = kNoMember, .chain = chain, .system = false, .told = false});
    facts_of(name).members = members_of(walk, name);
  }
  // What ended the walk is looked at, too.
  const bool is_ended = used < walk.depth && taken < kChain;
  keep_walk(thread, walk, is_ended ? used + 1 : used,
            is_ended || taken == kChain || walk.depth == kFrames, name);
  return name;
}

void tell_name(UInt name) {
  if (name == 0)
    return;
  NameFacts &facts = facts_of(name);
  if (facts.told)
    return;
  facts.told = true;
  if (facts.variable != nullptr)
    return facts.variable->kind == VariableKind::block
               ? tell_member(name, *facts.variable, facts.member)
               : tell_variable(name, *facts.variable, facts.member);
  const bool behind = name % 2 != 0;
  if (name != kNoObject)
    tell_context(name & ~1u);
  culprit_record_name record = {};
  record.number = name;
  record.kind = behind ? CULPRIT_NAME_OUTSIDE : CULPRIT_NAME_HEAP;
  record.object = name == kNoObject ? 0 : name & ~1u;
  record.member = CULPRIT_NO_MEMBER;
  write_record(CULPRIT_RECORD_name, {&record, sizeof record});
}

} // namespace culprit::deep
