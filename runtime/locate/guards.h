// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns in memory the target must not write, and finding what wrote there all the same: the
// guards around a block, and a freed block's bytes. The earliest of the writes is the one to tell,
// by the ids of the cells. Cells that are corrupt were written by what is known already: their
// bytes are put back.
#pragma once

#include "runtime/locate/blocks.h"

namespace culprit::locate {

constexpr size_t kGuardBytes = 16;     // in front, and behind at least
constexpr size_t kLongestGuard = 128;  // behind, where the heap's block has so much to spare
constexpr unsigned char kGuard = 0xfd; // each, as the bytes of a pointer, is no address
constexpr unsigned char kFresh = 0xa5;
constexpr unsigned char kFreed = 0xdd;

struct Damage {
  uintptr_t address; // 0: none
  Id written;
};

inline Damage earlier(Damage a, Damage b) {
  if (!a.address || (b.address && b.written && (!a.written || b.written < a.written)))
    return b;
  return a;
}

void set_guards(const Block &block);
Damage check_guards(const Block &block);
// Of a block in the quarantine: its bytes, too.
Damage check_freed(const Block &block);

// The earliest write that changed these bytes.
Damage find_damage(uintptr_t from, uintptr_t end, unsigned char pattern);

} // namespace culprit::locate
