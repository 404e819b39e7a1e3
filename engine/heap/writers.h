// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who wrote the moved objects: the blame records of a re-execution, added up by function.
//
// A site's score is the share of the moved objects that may be among those it touched (crowd.h:
// does it explain them?), times how specific it is: the share of moved ones among all it touched,
// on a scale from 0, the share among all objects of these allocation sites, to 1 (does it do this
// to others too?). Sites are weighed one by one, so that a good and a bad path in one function do
// not hide one another. Copies of inlined code are sites of their own: code of a library is charged
// to the function it is inlined into, and where a function writes to all objects alike but one of
// its callers does so to the moved ones alone, the caller stands before it.
#pragma once

#include "engine/heap/blame.h"
#include "engine/heap/crowd.h"
#include "engine/heap/moved.h"

#include <string>
#include <vector>

namespace culprit::heap {

constexpr double kSpecific = 0.5; // from here on a writer is guilty by itself

struct Writer {
  InlinedAt where; // the function, and its place with most of the score
  Role role = Role::linked;
  std::vector<std::string> from; // functions that decide what is written there
  double moved = 0;              // objects, as far as one can tell
  double score = 0;
  double specific = 0; // of that place
  bool library = false;
};

struct Writers {
  std::vector<Writer> list; // by score; a function appears once, with its strongest role
  Crowd crowd;
};

// The moved objects are compared with those of the same allocation sites that did not move and,
// where training learned it, with as many objects as it usually is. A writer of most objects in
// training that wrote few of the moved ones is on the list, too: what is wrong may be what was left
// undone.
Writers writers_of(const Finding &finding, const std::vector<MovedSite> &sites,
                   const HeapModel &model, const HeapRun &again);

// Adds the functions on the way to the allocation of the moved objects and not of the others.
void add_callers(Writers &writers, const Finding &finding, const std::vector<MovedSite> &sites,
                 const HeapRun &run);

} // namespace culprit::heap
