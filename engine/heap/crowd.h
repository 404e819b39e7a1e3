// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects of the allocation sites in question, and how well a part of them fits those that
// moved.
//
// Objects of one site in one degree cell are not told apart: of those in a cell with too many, some
// moved there and others always are there. So a part of the crowd (what one place wrote, what one
// call asked for) may hold as many moved objects of each cell as it has objects there, but not more
// than moved into that cell. Cells are counted one by one: of a large cell with a few too many,
// which is what chance leaves in every run, whoever touched all of it explains a few and is not
// specific.
#pragma once

#include <cstdint>
#include <map>

namespace culprit::heap {

using CrowdCell = uint64_t; // an allocation site and a degree cell
CrowdCell crowd_cell(uint64_t site_position, unsigned cell);

// Objects that something was done to.
struct Tally {
  std::map<CrowdCell, double> inside; // in cells with too many
  double outside = 0;                 // in others

  // `moved`: share of the cell's objects that moved.
  void add(CrowdCell cell, double objects, double moved);
  double objects() const;
};

// All of them.
struct Crowd {
  Tally all;
  std::map<CrowdCell, double> excess; // objects that moved into each cell
  double moved = 0;                   // their sum

  void add(CrowdCell cell, double objects, double share);
  // How many of the moved objects may be among these.
  double explained(const Tally &tally) const;
  // How many are, if each object of a cell is as likely to have moved as the others.
  double in_proportion(const Tally &tally) const;
  double specificity(const Tally &tally) const; // 0..1
  // How many are to be expected, as far as one can tell.
  double expected(const Tally &tally) const;
  // Are there enough objects that did not move for specificity to mean anything?
  bool can_compare() const;
};

} // namespace culprit::heap
