// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See walk.h.
#include "runtime/unwind/walk.h"

#include "runtime/unwind/known_rules.h"

#include <ucontext.h>

namespace culprit::unwind {

bool step_over_signal(Walk &walk) {
  if (!walk.high || walk.high - walk.stack < sizeof(ucontext_t))
    return false;
  const auto &registers = reinterpret_cast<const ucontext_t *>(walk.stack)->uc_mcontext.gregs;
  const auto stack = static_cast<uintptr_t>(registers[REG_RSP]);
  if (stack <= walk.stack || stack >= walk.high)
    return false; // it came from another stack
  walk.pc = static_cast<uintptr_t>(registers[REG_RIP]) + 1;
  walk.frame = static_cast<uintptr_t>(registers[REG_RBP]);
  walk.stack = stack;
  return true;
}

size_t capture_by_tables(uintptr_t frame, uintptr_t *frames, size_t max) {
  Walk walk = begin_walk(frame);
  size_t count = 0;
  while (count < max) {
    uint64_t *place = nullptr;
    const Rule rule = find_rule(walk.pc, place);
    if (!rule.known && count)
      break;
    frames[count++] = walk.pc;
    if (!(rule.signal ? step_over_signal(walk) : step(walk, rule)))
      break;
  }
  return count;
}

} // namespace culprit::unwind
