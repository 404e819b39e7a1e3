// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Telling of a crash: the record `crash` (abi/run_file.h) with the place, the leaves and the clock
// as they stand, the call stack, and the block the address lies in or beside. Only the first crash
// of a process is told: what follows it (a handler's own fault, the guards at exit) comes of it.
#pragma once

#include "abi/run_file.h"
#include "runtime/locate/guards.h"
#include "runtime/locate/telling.h"

namespace culprit::locate {

struct Crash {
  culprit_crash_kind kind;
  int signal;
  uintptr_t address;
  uintptr_t pc;
  uintptr_t frame; // frame pointer to begin with; 0: no call stack
  Id written;
  uintptr_t block; // an address in the block it is about; 0: as `address` tells
  // The variable whose fence was written (abi/layout.h); 0: none.
  uintptr_t variable = 0;
  uint64_t variable_size = 0;
  uint64_t declaration = 0;
  Id left = 0; // when its function returned; 0: it has not
  // The machine's registers at a fault; null: none.
  const Registers *registers = nullptr;
  // Of a program that does not end: the newest id that it goes round by. Newer ones are made anew
  // each time round.
  Id newest = 0;
};

// False: there was one before.
bool tell_crash(const Crash &crash);
bool has_crashed();

// For crashes that no signal tells: found by the runtime in a call of the target's. Ends the
// process as libc does when it finds its heap or stack damaged.
[[noreturn]] void stop_with_crash(culprit_crash_kind kind, uintptr_t address, Id written,
                                  const char *message, uintptr_t block = 0);

// Of a variable that was overrun, or written after its function had returned. Without a call stack:
// found where nobody is to blame for it, at exit.
bool tell_damage(const VariableDamage &found, uintptr_t frame = 0);
[[noreturn]] void stop_with_damage(const VariableDamage &found);

// For tests.
extern void (*g_crash_observer)(const culprit_record_crash &record,
                                const culprit_record_arguments &arguments);

} // namespace culprit::locate
