// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a crash is blamed on: from what the runtime says of it (abi/run_file.h) and the tables, the
// definitions under suspicion, best first, and the kind of error. docs/locating.md has the rules
// and why they are so.
//
// Rules: a pure function of its arguments. A candidate that is suppressed belongs to the paper's
// set of suppression points; one that is not is told to the user beside them, as the other end of
// the same error (the allocation of a block that was overrun).
#pragma once

#include "engine/locate/tables.h"
#include "engine/locate/targets.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/run_file.h"

namespace culprit::locate {

constexpr uint64_t kNearNull = 1U << 16; // members and small indexes of a null pointer lie below

enum class ErrorKind {
  wild_access,
  null_dereference,
  use_after_free,
  uninitialised_read,
  heap_overflow,
  heap_underflow,
  stack_overflow, // of a buffer
  double_free,
  bad_free,
  failed_check, // abort, assertion, uncaught exception
  division_by_zero,
  illegal_instruction,
  stack_exhausted,
  global_overflow, // of a buffer
  endless_loop,
  use_after_return,
  intra_object_overflow, // of a member, into the next
};
std::string_view name_of(ErrorKind kind);

// In what way a candidate is involved.
enum class Part {
  source,     // the crash used a value it defined
  writer,     // it wrote where it must not
  allocation, // of the block concerned
  free,       // of the block concerned
  left,       // a variable concerned whose function has returned
  missing,    // nothing known defined the value: the place of the crash is all there is
};
std::string_view name_of(Part part);

struct Candidate {
  uint64_t id = 0; // as the crash has it; 0: missing
  Part part = Part::source;
  std::string name = {}; // what the crash's place calls the value; empty: cannot be told
  std::optional<Role> role = {};
  bool suppress = true;
  bool nowhere = false;  // an argument that points to where nothing can be read
  bool onward = false;   // what it did once it may do again: a loop past the end of a buffer
  bool equal = false;    // that it comes before others or behind them is but for its time
  bool origin = false;   // flavour origins: the value was computed from memory nobody has written
  uint32_t freed_at = 0; // then, with id 0: the place of a call of unseen code that has freed it
};

struct Blamed {
  ErrorKind error = ErrorKind::wild_access;
  std::vector<Candidate> candidates = {}; // best first
  std::string nothing = {};               // why there are none
};

// arguments: of a place that is a call.
Blamed blame(const culprit_record_crash &crash, const Tables &tables,
             const culprit_record_arguments &arguments = {});

// Who wrote before the candidate did what it was blamed for, and is the one to blame: the candidate
// only changed what should not have been there. From what its execution as a target told, and the
// crash it was blamed for.
std::optional<Candidate> earlier_writer(const Candidate &candidate, const Fired &fired,
                                        const Tables &tables,
                                        const culprit_record_crash &crash = {});

} // namespace culprit::locate
