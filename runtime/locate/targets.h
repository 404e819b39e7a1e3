// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Targets: the executions of definitions whose effects are suppressed (abi/locate.h), read from the
// file that the option `targets` names.
#pragma once

#include "runtime/locate/shadow.h"

namespace culprit::locate {

enum class TargetHow : uint8_t { time, since, count, from_count, always, kept, watched };

struct Target {
  uint32_t definition;
  TargetHow how;
  bool told; // its record is written
  uint64_t number;
  uint32_t next; // of the same definition: position + 1
};

// The next row of the text, from `at` on, which is moved behind it. False at the end; then `bad`
// tells whether there was something that is no row.
bool read_target(const char *text, size_t length, size_t &at, Target &target, bool &bad);

// Sets the unit's attention, once. Ends the process with a message if the file does not fit the
// unit. An empty path, or a unit without attention (trace flavour): there are no targets.
void read_targets(const char *path, const culprit_locate_unit &unit);

// A definition under suspicion is executed; the id it shall have. A store to memory that is not
// made yet has its address in __culprit_stored_at.
Id fired(Id id);

// A store is left out that has this id. True: what was there is kept as it is, its id as well.
bool keeps_what_was_there(Id id);

} // namespace culprit::locate
