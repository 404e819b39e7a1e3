// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lines of the program the addresses of a search stand for: the call stacks of its crashes,
// who asked a library's header for what it did, and where a copy overran a block.
#pragma once

#include "engine/locate/iteration.h"
#include "engine/locate/target.h"
#include "engine/symbolize/symbolize.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace culprit::locate {

class Naming {
public:
  explicit Naming(const Target &target);

  // Says of the step's suspects what is known by their addresses alone.
  void name(Step &step) const;
  // Of its crash, innermost first. What is not the program's own code (libc's start-up, with debug
  // information installed) has a name, but no place that a reader could look at.
  std::vector<symbolize::Place> stack_of(const Step &step) const;

private:
  bool is_own(const symbolize::Place &place) const;
  bool is_source(const std::string &file) const;
  // The innermost place of the program's own, outside of headers of libraries and on another line;
  // if there is one, in a function that somebody wrote.
  std::optional<Location> own_place(symbolize::Symbolizer &symbolizer,
                                    const std::vector<uint64_t> &stack,
                                    const Location &not_here = {}) const;
  void name_callers(Step &step, symbolize::Symbolizer &symbolizer) const;
  void name_copy(Step &step, symbolize::Symbolizer &symbolizer) const;

  const Target &target_;
  std::set<std::string, std::less<>> files_; // of the program's own code
};

} // namespace culprit::locate
