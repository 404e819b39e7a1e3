// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who wrote the moved objects: the blame records of a re-execution, added up by function.
//
// A function's score is its share among the moved objects, times how specific it is: 1 − (share
// among the other objects) / (share among the moved ones). Sites are weighed one by one, so that a
// good and a bad path in one function do not hide one another. Copies of inlined code are sites of
// their own: code of a library is charged to the function it is inlined into, and where a function
// writes to all objects alike but one of its callers does so to the moved ones alone, the caller
// stands before it.
#pragma once

#include "engine/heap/blame.h"
#include "engine/heap/moved.h"

#include <string>
#include <vector>

namespace culprit::heap {

// Objects, of those that moved and of the others of the same allocation sites.
struct Tally {
  double moved = 0;
  double others = 0;
};
double specificity(const Tally &tally, const Tally &all);
// Are there enough other objects for specificity to mean anything?
bool can_compare(const Tally &all);

constexpr double kSpecific = 0.5; // from here on a writer is guilty by itself

struct Writer {
  InlinedAt where; // the function, and its place with most of the score
  Role role = Role::linked;
  std::vector<std::string> from; // functions that decide what is written there
  Tally tally;
  double score = 0;
  double specific = 0; // of that place
  bool library = false;
};

struct Writers {
  std::vector<Writer> list; // by score; a function appears once, with its strongest role
  Tally all;
};

Writers writers_of(const Finding &finding, const std::vector<MovedSite> &sites,
                   const HeapRun &again);

// Adds the functions on the way to the allocation of the moved objects and not of the others.
void add_callers(Writers &writers, const Finding &finding, const std::vector<MovedSite> &sites,
                 const HeapRun &run);

} // namespace culprit::heap
