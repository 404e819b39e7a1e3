// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/walks.h"

#include "valgrind/steps.h"

namespace culprit::deep {
namespace {

constexpr UInt kSets = 512;
constexpr UInt kWays = 8;
constexpr UInt kMostWords = 24;
constexpr SizeT kLargestFrame = 1024; // looked through for a saved frame pointer

struct Word {
  Addr at;
  Addr value;
};

struct Kept {
  UInt name; // 0: empty
  UInt count;
  Addr instruction;
  Addr stack;
  Addr frame;
  bool by_frame; // a frame was found by a frame pointer
  Word words[kMostWords];
};

struct Set {
  UInt next; // to be replaced
  Kept kept[kWays];
};
Set g_sets[kSets];

Set &set_of(Addr stack) { return g_sets[(stack >> 4 ^ stack >> 13) % kSets]; }

bool is_same(const Kept &kept) {
  for (UInt i = 0; i < kept.count; ++i)
    if (*reinterpret_cast<const Addr *>(kept.words[i].at) != kept.words[i].value)
      return false;
  return true;
}

bool add(Kept &kept, Addr at, Addr value) {
  if (kept.count == kMostWords)
    return false;
  kept.words[kept.count++] = {at, value};
  return true;
}

// All places in a frame that hold the next frame's frame pointer: it may have come from any.
bool add_saved(Kept &kept, const Walk &walk, UInt frame) {
  const Addr low = walk.stacks[frame];
  const Addr high = walk.stacks[frame + 1];
  const Addr saved = walk.frames[frame + 1];
  if (high < low || high - low > kLargestFrame)
    return false;
  bool found = saved == walk.frames[frame];
  for (Addr at = low; at < high; at += sizeof(Addr))
    if (*reinterpret_cast<const Addr *>(at) == saved) {
      found = true;
      if (!add(kept, at, saved))
        return false;
    }
  return found;
}

} // namespace

UInt known_name(ThreadId thread) {
  if (const UInt name = name_by_steps(thread); name != 0)
    return name;
  const Addr stack = VG_(get_SP)(thread);
  const Addr instruction = VG_(get_IP)(thread);
  for (Kept &kept : set_of(stack).kept)
    if (kept.name != 0 && kept.stack == stack && kept.instruction == instruction &&
        (!kept.by_frame || kept.frame == VG_(get_FP)(thread)) && is_same(kept))
      return kept.name;
  return 0;
}

void keep_walk(ThreadId thread, const Walk &walk, UInt used, bool is_decided, UInt name) {
  keep_steps(thread, walk, used, is_decided, name);
  Set &set = set_of(walk.stacks[0]);
  Kept &kept = set.kept[set.next % kWays];
  kept = {};
  kept.stack = VG_(get_SP)(thread);
  kept.instruction = VG_(get_IP)(thread);
  kept.frame = VG_(get_FP)(thread);
  UInt by_frame = 0; // frames from here on do not need their frame pointer
  for (UInt i = 0; i + 1 < used; ++i) {
    const Addr slot = walk.stacks[i + 1] - sizeof(Addr);
    // A return address is where the stack of the caller begins.
    if (*reinterpret_cast<const Addr *>(slot) != walk.instructions[i + 1] + 1 ||
        !add(kept, slot, walk.instructions[i + 1] + 1))
      return;
    if (walk.stacks[i + 1] == walk.frames[i] + 2 * sizeof(Addr))
      by_frame = i + 1;
  }
  kept.by_frame = by_frame != 0;
  for (UInt i = 0; i + 1 < by_frame; ++i)
    if (!add_saved(kept, walk, i))
      return;
  kept.name = name;
  ++set.next;
}

void forget_walks() {
  forget_steps();
  for (Set &set : g_sets)
    for (Kept &kept : set.kept)
      kept.name = 0;
}

} // namespace culprit::deep
