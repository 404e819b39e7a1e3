// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation sites of a program that is run as it is: the run file has the addresses that calls of
// allocation functions return to; here they become sites as flavours have them.
//
// In a program that is run as it is, sites that merely hand out memory are told apart: calls in the
// C and C++ library, which allocate for their caller, and in wrappers of the program's own
// (handing_out.h).
//
// Rules: a site's id comes from its file's name and the place in it, so it is the same in every run
// of one build and does not depend on where the file was loaded. An address outside every file has
// no site.
#pragma once

#include "engine/heap/sites.h"
#include "engine/symbolize/symbolize.h"

#include <map>
#include <mutex>

namespace culprit::monitor {

class NativeSites {
public:
  explicit NativeSites(bool finds_wrappers = false) : finds_wrappers_(finds_wrappers) {}

  // The sites of a run, in a table of one unit, which is added to the file's records.
  heap::SharedSites of(run::RunFile &file, symbolize::Symbolizer symbolizer);

private:
  struct Known {
    symbolize::Place place;
    bool wrapper = false;
  };
  Known look_at(uint64_t address, symbolize::Symbolizer &symbolizer) const;

  std::mutex lock_;                 // runs are read side by side
  std::map<uint64_t, Known> known_; // by site id: a program has the same in every run
  bool finds_wrappers_;
};

} // namespace culprit::monitor
