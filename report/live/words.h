// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What page and terminal say of a run that goes on, in the same words.
#pragma once

#include "report/live/state.h"

#include <string>
#include <utility>
#include <vector>

namespace culprit::report::live {

const char *phase_name(Phase phase); // "starting", "running", "ended", "judged"

// "running", "ended: exit code 0; nothing departs from what was learned"
std::string status_text(const State &state);

// What is counted, and how much: {"live objects", "1,204"}, …
std::vector<std::pair<std::string, std::string>> totals_texts(const State &state);

// "12.5 %", "1.5 MB"; "–": no value yet
std::string value_text(const heap::Metric &metric, double value);

// "10.0–14.0 %"; empty: nothing was learned
std::string range_text(const Metric &metric);

// Units of work, short: "1.5 M"
std::string work_text(double work);

// "40 s", "12 min", "3 h 20 min"
std::string duration_text(double seconds);

// "assets.c:85", without folders; empty: the file is not known
std::string place_text(const heap::Place &place);

// "indegree = 2 left its range upwards"
std::string stack_reason(const monitor::LiveStack &stack);

// What a long run's plots leave out; empty: nothing.
std::string thinning_text(const Course &course);

} // namespace culprit::report::live
