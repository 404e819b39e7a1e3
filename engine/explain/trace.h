// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace of a run (abi/explain.h): its points and accesses in order.
#pragma once

#include "abi/explain.h"
#include "engine/error.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace culprit::explain {

using Trace = std::vector<culprit_trace_event>;

inline bool writes(const culprit_trace_event &event) {
  return event.kind == CULPRIT_TRACE_WRITE || event.kind == CULPRIT_TRACE_KEEP;
}

inline bool is_point(const culprit_trace_event &event) { return event.kind == CULPRIT_TRACE_POINT; }

// The so manieth execution of its statement the event at this position is.
inline size_t instance_of(const Trace &trace, size_t position) {
  size_t instance = 0;
  for (size_t i = 0; i <= position; ++i)
    instance += is_point(trace[i]) && trace[i].site == trace[position].site ? 1 : 0;
  return instance;
}

// The file of a process that died is longer than its trace: it ends with the first event of no
// kind. `sites`: how many the tables have; a number beyond them is an Error.
Result<Trace> parse_trace(std::string_view bytes, size_t sites);
Result<Trace> read_trace(const std::filesystem::path &file, size_t sites);

} // namespace culprit::explain
