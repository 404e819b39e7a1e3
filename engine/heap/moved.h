// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose objects moved: a finding against what training expects of each allocation site.
//
// Expected of N objects of a site are N · q objects in each cell, q being their mean share in
// training. What is more than that is `excess`; in the cells that offend (those of the metric's
// class for a crossing at the high end, the others at the low end) it has moved there.
//
// A site can also carry a metric away with objects that all are in the class as ever, by their
// number: lost blocks without pointers are leaves as they always were. Expected are then as many
// objects as are the site's part of the heap in training, each in its usual cell, and what is more
// than that has entered the class. In which degree these differ from what they usually are (lost
// ones have no pointer to them) is what tells about them, not the degree that the metric is about.
#pragma once

#include "engine/heap/judge.h"

#include <array>
#include <vector>

namespace culprit::heap {

struct MovedSite {
  size_t position = 0; // in HeapRun::sites
  uint64_t id = 0;
  Cells cells{};                               // now
  std::array<double, CULPRIT_CELLS> moved{};   // share of each cell's objects that moved, 0..1
  std::array<double, CULPRIT_CELLS> usually{}; // training's q; all 0 if training never saw the site
  bool is_new = false;
  bool by_number = false; // there are more of them, rather than others than usual
  double count = 0;       // objects that moved
  double score = 0;       // count, and what more objects of this site than usual explain
};

// At the finding's worst point; most guilty first, those that explain nothing left out.
std::vector<MovedSite> moved_sites(const Finding &finding, const HeapRun &run,
                                   const HeapModel &model);

// Does the metric tell which objects offend? If not, all may.
bool has_class(const Finding &finding);
bool is_offending(const Finding &finding, unsigned cell);

// Which degrees the metric is about.
bool about_in(const Finding &finding);
bool about_out(const Finding &finding);

// Which degrees of the site's moved objects are to be explained.
struct Ends {
  bool in = false;
  bool out = false;
  bool roots = false; // they have no pointer to them
};
Ends ends_of(const Finding &finding, const MovedSite &site);

} // namespace culprit::heap
