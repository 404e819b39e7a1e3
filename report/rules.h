// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of finding, as other tools know them: an id that never changes, and what it means.
// SARIF lists them, suppressions name them, JUnit has them as the type of a failure.
//
// Rules: an id is a promise to every baseline and suppression file out there. New ones are added,
// none is renamed.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace culprit::report {

struct Rule {
  std::string_view id;
  std::string_view name;    // the same as one word, for tools that want one
  std::string_view summary; // a sentence
  std::string_view meaning; // what it says, and what to do
  unsigned cwe;             // 0: none fits
  std::string_view part;    // of culprit that finds it
};

std::span<const Rule> rules();

// Null: there is none of this id.
const Rule *find_rule(std::string_view id);

// Of a finding of `culprit check`, by its detector and kind; of a kind of error of `culprit
// locate`. What is unknown (a report of a newer culprit) is the most general of its detector.
const Rule &check_rule(std::string_view detector, std::string_view kind);
const Rule &corruption_rule(std::string_view error);
const Rule &cause_rule();

} // namespace culprit::report
