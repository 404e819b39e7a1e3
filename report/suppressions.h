// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that nobody wants to hear of again, in a file of the sanitizers' form: a line
// `rule:pattern` for each kind, `#` begins a comment. The rule is an id of rules.h, `*` in it
// stands for anything. The pattern is looked for in the functions, files, objects, variables and
// metrics of a finding, and is compared with its fingerprint: `*` stands for anything, `^` and `$`
// for beginning and end; without these any part will do.
#pragma once

#include "engine/error.h"
#include "report/reported.h"

#include <string>
#include <string_view>
#include <vector>

namespace culprit::report {

struct Suppression {
  size_t line = 0; // from 1
  std::string rule;
  std::string pattern;
  std::string text; // as it is written
  size_t matches = 0;

  bool covers(const Reported::Finding &finding) const;
};

// Every error names the line.
Result<std::vector<Suppression>> parse_suppressions(std::string_view text);

// Lines that suppress each of the findings that count: by fingerprint, and what would suppress
// more, as a comment.
std::string suppressions_for(const Reported &report);

// Does a pattern cover a text? As in the sanitizers' files.
bool covers(std::string_view pattern, std::string_view text);

} // namespace culprit::report
