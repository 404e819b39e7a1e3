// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cause transitions: at which points of the failing run which differences from the passing one
// cause the failure, from the failure back to where the first of them came from.
//
// The last point at which the two runs still end differently is found by bisection. There the
// differences are minimised. The next point is the last one before the last write, in either run,
// to what was found to be the cause; if nobody was seen to write it, the last one at which it did
// not differ yet. And so on, until nothing differs, or taking over all differences does not make
// the passing run fail. There the program itself is what differs: the first step is then told at
// the first point behind the write, which is where the wrong value came to be.
//
// A point may be out of reach. Others near it are asked then, farther and farther away.
//
// The runs are a parameter: this knows traces and verdicts, and starts no process.
#pragma once

#include "engine/error.h"
#include "engine/explain/alignment.h"
#include "engine/explain/difference.h"
#include "engine/explain/minimize.h"
#include "engine/explain/trace.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace culprit::explain {

// Both runs, stopped at corresponding points.
class Point {
public:
  virtual ~Point() = default;
  // Do they go on to different ends?
  virtual bool ends_differ() const = 0;
  // All that can be taken over from the failing run.
  virtual const std::vector<Difference> &differences() const = 0;
  // Does the passing run, with these of them, fail as the failing one? Of several at once.
  virtual Result<std::vector<Verdict>> test(const std::vector<Subset> &subsets) = 0;
};

struct ChainLimits {
  size_t steps = 64;
  size_t tests = 2000;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::stop_token stop = {}; // asked for: what was found until then is the answer
  size_t width = 1;          // tests at the same time
  size_t attempts = 6;       // points tried, one before the other, where one cannot be resolved
};

struct Step {
  size_t pair = 0; // in the alignment's points
  std::vector<Difference> cause = {};
};

struct Chain {
  std::vector<Step> steps = {}; // from the failure back
  size_t tests = 0;
  size_t unresolved = 0;       // of them
  size_t most_differences = 0; // at one point
  size_t out_of_reach = 0;     // points that were asked for and are
  std::string reason = {};     // why it ends where it does
  bool partial = false;        // because a limit was reached, or somebody wanted it to
};

struct ChainRuns {
  const Trace &passing;
  const Trace &failing;
  const Alignment &alignment; // of both
  // Null: the point is out of reach, since the program has several threads there.
  std::function<Result<std::unique_ptr<Point>>(size_t pair)> open;
  // While the point of a step is still there.
  std::function<void(const Point &point, const Step &step)> on_step = {};
  std::function<void(size_t tests)> on_tests = {}; // so many more were made
};

Result<Chain> follow_chain(const ChainRuns &runs, const ChainLimits &limits = {});

} // namespace culprit::explain
