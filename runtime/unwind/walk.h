// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Call stacks by unwind tables, frame after frame, for code that keeps no frame pointers. A rule
// says where things lie; they are read only inside the thread's own stack, above the frames passed
// so far, so no rule, however wrong, makes a read fault. On another stack (a handler's, a
// coroutine's) only the first return address is known.
//
// Takes no lock, allocates nothing: for allocation functions and signal handlers.
#pragma once

#include "runtime/unwind/rule.h"
#include "runtime/unwind/unwind.h"

#include <stddef.h>

namespace culprit::unwind {

// The code that called us last, and its registers.
struct Walk {
  uintptr_t pc;    // return address into it
  uintptr_t stack; // %rsp
  uintptr_t frame; // %rbp
  uintptr_t high;  // up to here the stack is readable; 0: not known
};

// From a frame of the runtime's, which has a frame pointer.
inline Walk begin_walk(uintptr_t frame) {
  const auto *words = reinterpret_cast<const uintptr_t *>(frame);
  return {words[1], frame + 2 * sizeof(uintptr_t), words[0], stack_end(frame)};
}

// To the caller; false: there is none, or it is not known. A signal's handler has none: what it
// interrupted did not call it.
inline bool step(Walk &walk, Rule rule) {
  constexpr uintptr_t kRedZone = 128;
  const auto is_on_stack = [&](uintptr_t address) {
    return address >= walk.stack - kRedZone && address <= walk.high - sizeof(uintptr_t) &&
           !(address & (sizeof(uintptr_t) - 1));
  };
  const auto word = [](uintptr_t address) {
    return __atomic_load_n(reinterpret_cast<const uintptr_t *>(address), __ATOMIC_RELAXED);
  };
  if (!walk.high || rule.base == Rule::outermost)
    return false;
  uintptr_t cfa = (rule.base == Rule::from_stack ? walk.stack : walk.frame) +
                  static_cast<uintptr_t>(int64_t{rule.cfa}) * sizeof(uintptr_t);
  if (rule.base == Rule::at_frame) {
    if (!is_on_stack(cfa))
      return false;
    cfa = word(cfa);
  }
  if (cfa <= walk.stack || !is_on_stack(cfa - sizeof(uintptr_t)))
    return false;
  if (rule.saved == Rule::at_cfa || rule.saved == Rule::at_own_frame) {
    const uintptr_t saved = (rule.saved == Rule::at_cfa ? cfa : walk.frame) +
                            static_cast<uintptr_t>(int64_t{rule.saved_at}) * sizeof(uintptr_t);
    walk.frame = is_on_stack(saved) ? word(saved) : 0;
  } else if (rule.saved == Rule::lost) {
    walk.frame = 0;
  }
  walk.stack = cfa;
  walk.pc = word(cfa - sizeof(uintptr_t));
  return walk.pc != 0;
}

// To what a signal interrupted; the walk stands at what its handler returns to. The address is one
// above the interrupted instruction's, as if that had called.
bool step_over_signal(Walk &walk);

// Return addresses, innermost first, signals passed over; how many. `frame` as for begin_walk().
size_t capture_by_tables(uintptr_t frame, uintptr_t *frames, size_t max);

} // namespace culprit::unwind
