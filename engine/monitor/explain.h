// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From findings to what a person can act on: who wrote the objects that moved, and what was running
// meanwhile. A card mark knows no writer, so the case is executed again in the blame flavour, which
// does, up to the point of each finding.
//
// Rules: an execution that does not repeat is said to. If it shows the same finding (shown.h), it
// is explained by itself: its objects, and who wrote them. Otherwise it is never guessed from. Each
// finding is explained with what there is.
#pragma once

#include "engine/heap/neighbourhood.h"
#include "engine/monitor/shown.h"
#include "engine/symbolize/symbolize.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace culprit::monitor {

struct Explained {
  heap::Blame blame;
  heap::Neighbourhoods around; // of the execution that shows who wrote
  heap::FoldedStacks stacks;
};

struct Explanation {
  std::vector<Explained> findings;           // as Verdict::findings
  std::map<std::string, heap::Place> places; // of the functions in stacks: where one was last seen
  std::vector<std::string> remarks;
};

// Executes the case again and says who wrote what at this metric point.
using Again = std::function<Result<heap::HeapRun>(uint32_t point_index)>;

// `again` may be empty: a saved run is not executed.
Explanation explain(const heap::Verdict &verdict, const heap::HeapRun &run,
                    const heap::HeapModel &model, symbolize::Symbolizer &symbolizer,
                    const Again &again);

// What differs between two executions up to a metric point; empty: nothing.
std::string first_difference(const heap::HeapRun &run, const heap::HeapRun &again,
                             uint32_t point_index);

} // namespace culprit::monitor
