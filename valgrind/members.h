// SPDX-License-Identifier: GPL-2.0-or-later
// Members of heap blocks: where debug information shows what type the calls of an allocation hand
// out (abi/native_names.h), each member of it has a name of its own, by the context and the member.
// The words of the granules are the same in every such block, so they are made once for a context
// and copied; in an array they come again after so many.
//
// Rules: a block whose size does not go with the type has one name, like those of no known type.
// Memory behind a block goes by the context alone.
#pragma once

#include "valgrind/variable.h"

namespace culprit::deep {

struct Walk;

// Of the blocks that are allocated where the walk has led, whose name is `block`; null: not known.
Variable *members_of(const Walk &walk, UInt block);

// Puts the names of a block of this size into the words of its granules. False: it is not of that
// type, and nothing is done.
bool put_members(Variable &members, UInt *words, SizeT size);

} // namespace culprit::deep
