// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is a request worth re-executing? Analyses that compare executions of one case ask this first.
#pragma once

#include "engine/launch/launch.h"

namespace culprit::launch {

struct Repetition {
  bool equal = false;
  std::string difference; // empty when equal; else one line, "standard output differs at line 3:
                          // 'a' and 'b'"
  Outcome first;
};

// Runs the request twice and compares status, standard output and standard error. An execution that
// we ended (time-out, memory) was cut at no fixed point: of two such only the status is compared.
Result<Repetition> repeatable(const Request &request, std::stop_token stop = interrupt_token());

// What repeatable() says about two outcomes; empty: nothing differs.
std::string first_difference(const Outcome &first, const Outcome &second);

} // namespace culprit::launch
