// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executions of definitions whose effects are suppressed: the paper's set of initial
// suppression points, as the runtime is told (abi/locate.h, "rows of the targets file").
//
// An execution of a definition is blamed by its time, which holds for the next execution of the
// program alone: all before it is the same there. The runtime then tells which execution of this
// definition it was, and by that count it is named from then on. A definition blamed for another
// of its executions again is one that goes wrong from some execution on, a loop that has run past
// its end, and is suppressed from its first bad one.
// Rules: the set only grows, so that an iteration comes to an end. One exception: a time that did
// not come again (another target, fired before it, has moved it) is forgotten and may be blamed
// again; after the second time the whole definition is suppressed.
#pragma once

#include "abi/run_file.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace culprit::locate {

enum class How : char { nth = 'n', from = 'f', all = 'a' };

// A target was executed.
struct Fired {
  uint64_t id = 0; // with its time in this execution
  uint64_t count = 0;
  uint64_t before = 0; // ids of what a store met (abi/locate.h); 0: not known
  uint64_t beside = 0;
  uint64_t through = 0;
  uint64_t address = 0;             // of a store to memory
  std::vector<uint64_t> stack = {}; // return addresses, innermost first
};

class Targets {
public:
  // A crash is blamed on this id; onward: and on the executions of its definition that follow.
  // False: it is suppressed already.
  bool add(uint64_t id, bool onward = false);

  // The n-th execution of this definition and no other.
  static Targets nth(uint32_t definition, uint64_t number);

  // These, and of the store that made `id` no execution from this time on is made: memory keeps
  // what it held, and nothing is corrupt for that.
  Targets without(uint64_t id, uint64_t time) const;
  // Who copies to this address is told, in the next execution.
  void watch(uint32_t definition, uint64_t address);
  bool leaves_out_quietly() const { return !kept_.empty(); }

  // What an execution with these targets told. Returns the ids added by time that were met again,
  // as they were given to add(), and what was told of each.
  std::map<uint64_t, Fired> executed(std::span<const Fired> fired);

  // The first suppressed execution of a definition; nothing: not known, or all of them.
  std::optional<uint64_t> first_count(uint32_t definition) const;

  bool empty() const { return targets_.empty(); }
  bool contains(uint32_t definition) const { return targets_.contains(definition); }
  // The definitions of both.
  void merge(const Targets &other);
  // Those of `definitions` alone.
  Targets only(std::span<const uint32_t> definitions) const;

  // The targets file.
  std::string rows() const;

private:
  struct Target {
    std::optional<How> how = {}; // none: known by time only
    uint64_t number = 0;
    uint64_t fired = 0;               // time of its first firing in the last execution
    std::vector<uint64_t> times = {}; // added since
    bool onward = false;              // the first of these, and all that follow
  };
  std::map<uint32_t, Target> targets_;
  std::map<uint32_t, unsigned> missed_; // how often a time did not come again
  std::string kept_;                    // rows of without()
  std::string watched_;                 // row of watch()
};

} // namespace culprit::locate
