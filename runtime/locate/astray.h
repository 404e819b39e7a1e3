// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of something corrupt that would overrun a block. A copy has no definition of its own: if
// what it copies is suppressed, it is not made, and so nobody would ever say where it stands.
#pragma once

#include "runtime/locate/extents.h"
#include "runtime/locate/shadow.h"

namespace culprit::locate {

// A value of this id, which is corrupt, was to be stored there; the caller's callers are told, the
// first time for each id, if there is no room for it. member: the bytes of the member there that it
// is meant for.
void note_astray(uintptr_t address, size_t size, Id id, size_t member = kNoExtent);

} // namespace culprit::locate
