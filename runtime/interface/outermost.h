// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outermost frame of ours when the target allocates or frees. malloc.cpp and new_delete.cpp are
// compiled twice: for flavours, where this is nothing, and with CULPRIT_UNMODIFIED for programs
// that run as they are, where it is a turn at the thread's cache (heap/turn.h). Not held while code
// of the target's runs: a new-handler may do as it likes.
#pragma once

#include "runtime/heap/turn.h"

namespace culprit::interface {

#ifdef CULPRIT_UNMODIFIED
using Outermost = heap::Turn;
#else
struct Outermost {};
#endif

} // namespace culprit::interface
