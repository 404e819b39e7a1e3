// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of variable length (a VLA, alloca) of the watched thread: they come and go as the stack
// grows and shrinks, so they are one themselves.
#pragma once

#include "abi/explain.h"

#include <stddef.h>

namespace culprit::explain {

struct SizedLocal {
  const culprit_frame *frame;
  uintptr_t start;
  size_t size;
  size_t room; // how large it may become
  uint64_t index;
  uint32_t number; // its name, in the tables
};

void add_sized_local(const SizedLocal &local);
// The stack of the frame ends here again: its variables below are gone.
void drop_sized_locals(const culprit_frame &frame, uintptr_t below);
// All of these frames called are gone; the frame itself, too, if it is left.
void drop_sized_locals_of(const culprit_frame &frame, bool is_left);

extern size_t g_sized_locals;
SizedLocal &sized_local(size_t number);

} // namespace culprit::explain
