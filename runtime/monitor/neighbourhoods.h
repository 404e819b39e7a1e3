// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples for people: of each kind of vertexes (allocation context and degrees) one is written
// down with its neighbours, so that a report can draw what an object of an offending kind hangs on.
// Which kinds offend is not known here, so all have one, up to a bound: the most numerous then. In
// the blame flavour's one point alone: it takes a few walks over the whole graph.
//
// Rules: the example is the middle one of its kind by place. The first and the last are too often
// the ends of a list, whose degrees are right as they are.
#pragma once

#include "abi/run_file.h"

namespace culprit::monitor {

struct Told {
  culprit_record_neighbourhood vertex;
  culprit_neighbour neighbours[CULPRIT_MOST_NEIGHBOURS];
};
using Tell = void (*)(void *to, const Told &told);

// Under the point lock, after an update.
void tell_neighbourhoods(uint32_t index, Tell tell, void *to);

// Into the run file; nothing in other flavours.
void append_neighbourhoods(uint32_t index);

} // namespace culprit::monitor
