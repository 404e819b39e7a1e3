// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an object of an offending kind hangs on: one that lived at the finding's point, with its
// neighbours in the heap graph, and beside it one that is as such objects usually are.
//
// Rules: both are objects of the execution that `blame` asks, picked among the examples its runtime
// wrote down (runtime/monitor/neighbourhoods.h); nothing is drawn that was not there. Where the
// metric tells no offending kind, or no example of it was kept, there is none.
#pragma once

#include "engine/heap/blame.h"

#include <optional>
#include <string>
#include <vector>

namespace culprit::heap {

// A vertex of the heap graph, by where it was allocated.
struct Vertex {
  Place place;      // empty: unknown code
  std::string type; // if known
  uint32_t in = 0;
  uint32_t out = 0;
};

struct Neighbour {
  Vertex vertex;
  bool points_here = false;
  bool pointed_to = false;
  bool itself = false;
};

struct Neighbourhood {
  Vertex vertex;
  std::vector<Neighbour> neighbours; // its degrees may say that there are more
};

struct Neighbourhoods {
  std::optional<Neighbourhood> offending;
  std::optional<Neighbourhood> usual; // only beside an offending one of other degrees
};

// `again` as in blame.
Neighbourhoods neighbourhoods(const Finding &finding, const HeapRun &run, const HeapModel &model,
                              const HeapRun &again);

} // namespace culprit::heap
