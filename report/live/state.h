// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a run that goes on: what the live page and the terminal's view are functions of.
#pragma once

#include "engine/heap/judge.h"
#include "engine/monitor/live_run.h"
#include "report/live/course.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace culprit::report::live {

// Where a metric is, compared with what was learned of it.
enum class Standing {
  unknown, // nothing was learned, or it has no value yet
  inside,
  near,    // inside, and near an end: where the runtime begins to keep call stacks
  outside, // beyond the learned range
};
const char *standing_text(Standing standing); // "inside its range", …; of unknown: empty

struct Metric {
  const heap::Metric *metric = nullptr;
  std::optional<heap::Range> range; // learned, of a metric that is stable over whole runs
  heap::Range bar;                  // beyond this it counts; if there is a range
  double now = 0;                   // NaN: no value yet
  Standing standing = Standing::unknown;
};

Standing standing_of(const Metric &metric);

enum class Phase {
  starting, // nothing was written yet
  running,
  ended,  // and is being judged
  judged, // nothing more will come
};

struct Totals {
  uint64_t work = 0; // units, the time axis of a run
  uint64_t live_objects = 0;
  uint64_t live_bytes = 0;
  uint64_t allocated_bytes = 0;
  uint64_t edges = 0;
};

struct State {
  std::string command; // as the user would type it
  std::string model;   // empty: there is none
  size_t learned_runs = 0;
  std::vector<Metric> metrics; // as heap::metrics()
  Course course;               // of these
  Totals totals;
  double seconds = 0; // since the start, up to the end
  std::vector<monitor::LiveStack> stacks;
  uint64_t stacks_version = 0;
  std::vector<std::string> findings; // so far; of a run that was judged, those of the judgement
  uint64_t findings_version = 0;
  Phase phase = Phase::starting;
  std::string status;  // of a run that ended: "exit code 0"
  std::string verdict; // of one that was judged: "nothing departs from what was learned"

  State();
  void add(const heap::Point &point);
};

} // namespace culprit::report::live
