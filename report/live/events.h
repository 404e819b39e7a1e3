// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the live page is told: server-sent events with one JSON object each.
//
//   all   everything so far; what the page had before is replaced
//   more  what is new since the event before: points to append, the axes they need, totals;
//         stacks, findings and status where they have changed
//   end   nothing more will come
//
// Texts are ready to be shown: characters that would do something to the page or its reader are
// made visible here (html/markup.h), and the page shows them as text.
#pragma once

#include "report/live/state.h"

#include <cstdint>
#include <string>

namespace culprit::report::live {

// How much of a state somebody has been told.
struct Told {
  bool any = false;
  uint64_t generation = 0;
  size_t parts = 0;
  uint64_t added = 0;
  uint64_t stacks_version = 0;
  uint64_t findings_version = 0;
  uint64_t seconds = 0;
  Phase phase = Phase::starting;
  bool end = false;
};

// The events that tell the rest, and notes that they did; empty: there is nothing new.
std::string events(const State &state, Told &told);

} // namespace culprit::report::live
