// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an unwind table says of one return address, as far as walking the stack needs it: where the
// frame of the code there ends (the CFA; the return address lies just below it), and where that
// code saved %rbp, which the frame above may be measured from. Eight bytes, so that whoever reads
// one while it is made sees all of it or nothing.
#pragma once

#include <stdint.h>

namespace culprit::unwind {

struct Rule {
  enum Base : uint64_t {
    outermost,
    from_stack,
    from_frame,
    at_frame
  }; // %rsp, %rbp, what %rbp + n points to
  enum Saved : uint64_t { same, at_cfa, at_own_frame, lost }; // the caller's %rbp

  int64_t cfa : 24;      // distance from the base, in words
  int64_t saved_at : 14; // distance from the CFA or from %rbp, in words
  uint64_t base : 3;
  uint64_t saved : 2;
  uint64_t signal : 1;  // what a handler returns to: a context of the kernel's lies there
  uint64_t known : 1;   // the address is inside a loaded object
  uint64_t bottom : 1;  // the stack begins here: nobody called
  uint64_t made : 1;    // all zero: nobody looked it up yet
  uint64_t number : 16; // of who numbers call sites; 0: none
};
static_assert(sizeof(Rule) == 8);

} // namespace culprit::unwind
