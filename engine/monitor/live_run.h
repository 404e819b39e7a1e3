// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run as it is seen while it goes on: the metric points that are new at each look, and the call
// stacks so far, folded and in words of the source.
//
// Rules: what is kept does not grow with the run: points are handed over and forgotten, stacks that
// differ are told apart up to a number. Points come with growing index and work, as a read run has
// them; one that arrives behind a later one is left out.
#pragma once

#include "engine/heap/blame.h"
#include "engine/monitor/target.h"
#include "engine/run/follower.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace culprit::monitor {

// Call stacks that are the same, of a metric that moved towards or beyond an end of its range.
struct LiveStack {
  unsigned metric = 0;             // culprit_degree_metric
  bool high = false;               // the upper end
  unsigned when = 0;               // culprit_stack_when
  std::vector<heap::Place> frames; // innermost first; the program's own code
  uint64_t count = 0;
  uint32_t index = 0; // of the last metric point before it was seen last
};

class LiveRun {
public:
  LiveRun(const Target &target, std::filesystem::path run_file);

  struct News {
    std::vector<heap::Point> points;
    bool stacks = false; // there are new ones
  };
  // What was written since the last look. Where the file contradicts itself, nothing more comes:
  // the end of the run is the time to say so.
  News look();

  // The latest metric first; of each, by moment and end, the most frequent first.
  std::vector<LiveStack> stacks() const;

private:
  void add(run::Stack stack);

  const Target &target_;
  run::Follower follower_;
  uint32_t last_index_ = 0;
  uint64_t last_work_ = 0;
  std::vector<run::Module> modules_;
  std::optional<symbolize::Symbolizer> symbolizer_;   // for modules_
  std::map<std::vector<uint64_t>, LiveStack> stacks_; // by metric, end, when and addresses
};

} // namespace culprit::monitor
