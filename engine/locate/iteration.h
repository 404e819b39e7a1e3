// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paper's Figure 3: while the program crashes, blame the crash on definitions, suppress their
// effects as well, execute again. The definitions of the last crash are the first corruption.
//
// Rules: knows executions only by what they told, so a test can simulate them. Execution 1
// suppresses nothing. An execution that does not come to its end under suppression (endless loop,
// endless recursion, no memory) has not crashed, and a note says so.
#pragma once

#include "engine/error.h"
#include "engine/locate/blame.h"
#include "engine/locate/execution.h"
#include "engine/locate/targets.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace culprit::locate {

// A definition that a crash was blamed on.
struct Suspect {
  Candidate candidate;
  std::optional<Definition> definition; // none: missing
  std::optional<uint64_t> count;        // which execution of it, from 1; none: not known
  bool of_statement = false;            // count: of the statement, not of those that go astray
  uint64_t before = 0;                  // id of what had been written there before it; 0: not known
  // The execution in which it was as if it had not been executed, and which crashed all the same.
  std::optional<unsigned> acquitted = {};
  uint64_t address = 0;              // where that execution wrote to; 0: nowhere, not known
  std::vector<uint64_t> stack = {};  // return addresses of that execution, innermost first
  std::vector<uint64_t> copied = {}; // and of the copy of its value that overran a block
  // In a library's header: where. The definition is then said to be at the line of the program that
  // called it.
  std::optional<Location> inside = {};
};

// A crash and what it was blamed on.
struct Step {
  unsigned execution = 0; // from 1
  run::Crash crash = {};
  std::vector<run::Module> modules = {}; // for the addresses of the crash
  std::optional<Place> place = {};       // where, as far as the program noted it
  ErrorKind error = ErrorKind::wild_access;
  std::vector<Suspect> suspects = {};                     // best first
  std::vector<run::Module> suspect_modules = {};          // for the stacks of these
  bool grew = false;                                      // some of them were new
  std::optional<culprit_record_assembled> assembled = {}; // a pointer that it used, in pieces
  std::string layout = {};               // the order of variables; empty: the program's own
  bool origins = false;                  // executed in the flavour of that name
  std::optional<size_t> belongs_to = {}; // step of the chain whose error this crash is, too
  bool apart = false; // another error: the crash that was met comes without what this is blamed on
};

enum class Outcome { located, no_corruption, unresolved };
std::string_view name_of(Outcome outcome);

// One error: the definitions of the last crash that brought something new. If it brought but
// further executions of a definition that was known, the crash that the first of these was blamed
// for.
struct Finding {
  size_t step = 0;       // position in the chain
  bool onward = false;   // not that execution alone, but those after it as well
  bool confirmed = true; // an execution without these definitions did not crash
};

struct Located {
  Outcome outcome = Outcome::no_corruption;
  unsigned executions = 0;
  unsigned quiet = 0;                 // the last execution in which nothing crashed; 0: none
  std::vector<Finding> findings = {}; // of outcome located: one; with `all`, as many as there are
  std::vector<Step> chain = {};
  std::string reason = {};    // of outcome unresolved
  launch::Status status = {}; // of execution 1
  launch::Status last = {};
  std::vector<std::string> notes = {};
};

// Asked for an execution with these targets and this order of variables.
using Execute = std::function<Result<Execution>(const Targets &targets, const std::string &layout)>;
// Asked, after an execution that did not crash, for an order of variables in which it would: the
// paper's Figure 5. Nothing: there is none.
using Expose = std::function<Result<std::optional<std::string>>(const Targets &targets)>;

struct IterationOptions {
  unsigned executions = 50; // at most
  bool all = false;         // also errors that the first found does not explain
  Expose expose = {};
  bool acquit = false; // of values that differ but in their age, is it the newest (acquittal.h)?
};

Result<Located> iterate(const Tables &tables, const Execute &execute,
                        const IterationOptions &options);

} // namespace culprit::locate
