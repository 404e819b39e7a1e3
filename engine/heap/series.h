// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run file as the heap analysis sees it: metric points in order, and the objects of each
// allocation site at each of them.
//
// The run file has only what changed from point to point, for each context; it is kept so (a full
// table would be points × contexts × 17 numbers), and SiteReplay walks through it. Rules: a HeapRun
// needs nothing but itself; tests build it by hand.
#pragma once

#include "abi/monitor.h"
#include "engine/heap/sites.h"
#include "engine/run/run_file.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace culprit::heap {

using Cells = std::array<uint64_t, CULPRIT_CELLS>; // objects by degrees, see abi/monitor.h

uint64_t total(const Cells &cells);
uint64_t in_metric(const Cells &cells, unsigned degree_metric); // culprit_degree_metric

struct Components {
  uint64_t count = 0;
  uint64_t largest = 0;
  uint64_t strong_count = 0;
  uint64_t strong_largest = 0;
};

struct Point {
  uint32_t index = 0; // the runtime's number, from 1
  uint64_t work = 0;
  uint64_t entries = 0;
  uint64_t allocated_bytes = 0;
  uint64_t live_objects = 0;
  uint64_t live_bytes = 0;
  uint64_t edges = 0;
  Cells cells{};
  std::optional<Components> components; // only some points have them
};

struct AllocationSite {
  uint64_t id = 0;            // static id; 0: unknown code
  const Site *site = nullptr; // null: unknown code
};

struct Context {
  size_t site = 0; // in HeapRun::sites
  std::vector<const Site *> chain;
};

// The objects of one context from this point on.
struct ContextChange {
  size_t point; // position in HeapRun::points
  uint32_t context;
  Cells cells;
};

struct BlameTable {
  uint32_t index; // of the metric point
  std::vector<culprit_blame_row> rows;
};

struct HeapRun {
  std::vector<Point> points;
  unsigned point_flags = 0;          // culprit_point_flag, of all of them together
  std::vector<AllocationSite> sites; // by id
  std::map<uint32_t, Context> contexts;
  std::vector<ContextChange> changes; // by point
  std::vector<run::Verify> verified;
  std::vector<run::Stack> stacks;
  std::vector<BlameTable> blame;
  std::vector<run::Neighbourhood> neighbourhoods; // of the points of `blame`
  std::vector<run::Module> modules;               // for symbolizing stacks
  SharedSites tables;                             // what the pointers to sites point into
  SiteNumbers numbers;                            // for the sites of blame rows
};

// Fails for records that contradict one another (points that go back in time, cells that do not
// add up to the objects, rows of unknown points).
Result<HeapRun> heap_run(const run::RunFile &file, SharedSites tables);

// The objects of every allocation site (and context) at one point after the other.
class SiteReplay {
public:
  explicit SiteReplay(const HeapRun &run);
  void to(size_t point);                                     // forward only
  const std::vector<Cells> &sites() const { return sites_; } // as HeapRun::sites
  const std::map<uint32_t, Cells> &contexts() const { return contexts_; }

private:
  const HeapRun &run_;
  size_t next_ = 0;
  std::vector<Cells> sites_;
  std::map<uint32_t, Cells> contexts_;
};

} // namespace culprit::heap
