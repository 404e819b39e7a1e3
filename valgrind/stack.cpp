// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/stack.h"

#include "valgrind/memory.h"

namespace culprit::deep {
namespace {

// Who goes further is on another stack.
constexpr SizeT kLargestStep = 8ul << 20;

} // namespace

VG_REGPARM(2) void leave_frames(Addr from, Addr to) {
  if (to > from && to - from <= kLargestStep)
    clear_names(from, to - from);
}

void clear_names(Addr start, SizeT length) {
  if (length > kLargestStep || start + length > limit())
    return; // no stack
  for (Addr at = start; at < start + length; at += kGranule)
    if (word_at(at) != 0)
      word_at(at) = 0;
}

bool is_unwinder(Addr instruction) {
  constexpr HChar kBeginning[] = "_Unwind_";
  const HChar *function = nullptr;
  return VG_(get_fnname)(VG_(current_DiEpoch)(), instruction, &function) != False &&
         VG_(strncmp)(function, kBeginning, sizeof kBeginning - 1) == 0;
}

} // namespace culprit::deep
