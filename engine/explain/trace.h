// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace of a run (abi/explain.h): its points and accesses in order. It stays in the file it was
// written to, of which the system keeps in memory what there is room for: a long run's is some
// gigabytes.
#pragma once

#include "abi/explain.h"
#include "engine/error.h"

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

namespace culprit::explain {

class Trace {
public:
  using Events = std::span<const culprit_trace_event>;

  Trace() = default;
  Trace(std::initializer_list<culprit_trace_event> events);
  // Whoever owns the events lives as long as the trace.
  Trace(std::shared_ptr<const void> owner, Events events)
      : owner_(std::move(owner)), events_(events) {}

  size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  const culprit_trace_event &operator[](size_t position) const { return events_[position]; }
  Trace first(size_t count) const { return {owner_, events_.first(count)}; }
  auto begin() const { return events_.begin(); }
  auto end() const { return events_.end(); }
  auto rbegin() const { return events_.rbegin(); }
  auto rend() const { return events_.rend(); }

private:
  std::shared_ptr<const void> owner_;
  Events events_;
};

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
// The file may be removed then.
Result<Trace> read_trace(const std::filesystem::path &file, size_t sites);

// How many events a trace may have so that the four of a comparison fit into the folder.
size_t most_events(const std::filesystem::path &folder);

} // namespace culprit::explain
