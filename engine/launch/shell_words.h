// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments written down as one would type them into a shell, and `< FILE` for standard input.
//
// A line that is accepted means the same words as in sh with globbing off: ' ', " " and \ quote, #
// at the start of a word begins a comment. Everything else a shell would do (pipes, expansions,
// other redirections) is an error rather than a silent difference; within single quotes all is
// literal.
#pragma once

#include "engine/error.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::launch {

struct ShellLine {
  std::vector<std::string> words;
  std::optional<std::string> standard_input;

  bool operator==(const ShellLine &) const = default;
};

Result<ShellLine> parse_shell_line(std::string_view text);

// The shortest plain form: as it is if no shell would touch it, else in single quotes.
std::string shell_quote(std::string_view word);
std::string shell_quote(const ShellLine &line);

} // namespace culprit::launch
