// SPDX-License-Identifier: GPL-2.0-or-later
// Variables: globals, local ones, what a call leaves on the stack for its return, and the blocks of
// one context, which are alike. Where debug information has the type, each member has a name of its
// own (docs/names.md); padding belongs to what is before it, and the elements of an array are
// alike.
#pragma once

#include "abi/native_names.h"
#include "valgrind/core.h"

namespace culprit::deep {

enum class VariableKind : UChar {
  global,
  local,
  return_slot, // a return address, and behind kSaved the registers that are kept before it
  block,       // what is allocated in one context (members.h)
};

struct Variable {
  Addr address;        // in memory; of a local or a return address: its function's; of blocks: what
                       // describes the call
  SizeT size;          // of blocks: each its own
  const HChar *symbol; // of blocks: the type
  UInt name;           // number; 0 until it is asked for, or where members have
  bool internal;       // only its file sees it
  VariableKind kind;
  const culprit_names_variable *described; // null: a symbol is all there is
  const culprit_names_layout *layout;      // null: one name
  UInt *members;                           // names by member; null until asked for
  UInt saved;                              // of a return address: the name of saved registers
  UInt block = 0;                          // of blocks: the name of one without members
  UInt *words = nullptr;                   // of blocks: of the first granules, as they come again
  UInt count = 0;
};

constexpr UInt kNoMember = ~0u;
constexpr UInt kSaved = 0; // as a member of a return address

Variable *new_variable(const Variable &facts);
// Makes the numbers.
void number_names(Variable &variable);

// The bytes around one of them that have the same name.
struct Stretch {
  UInt name;
  SizeT start; // from the start of the variable
  SizeT end;
};
Stretch stretch_of(const Variable &variable, SizeT offset);

// After so many bytes the words of what is repeated come again.
SizeT period_of(SizeT size);

// Puts the names of a variable at `start` into words of granules, the first of which is byte 0's.
void put_names(const Variable &variable, UInt *words, Addr start);

} // namespace culprit::deep
