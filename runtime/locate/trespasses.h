// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who copied something beside a block first. A copy has a definition of its own only where the cell
// had no id, as a guard's cells have none; the next copy to the same cell finds one there and
// leaves the id of what it copies, which is not who wrote there.
//
// Rules: called where a copy has left its block, which is rare, and never allocates. Of two guard
// cells that fall on one row the first is kept: the other is told as if nobody had noted it.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

void note_trespass(uintptr_t address, Id id);
// Who is to be told instead of `id`, which the cell there has now: the copy that wrote there before
// it, if one did, else `id`.
Id first_trespass(uintptr_t address, Id id);

} // namespace culprit::locate
