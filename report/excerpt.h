// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line of source under a diagnostic, as compilers show it: number, text, and a caret below the
// column that runs to the end of the statement, with a remark behind it.
//
// Rules: the text comes from a file that may be anything by now: control characters never reach the
// terminal, and a line that is not there is left out.
#pragma once

#include "report/style.h"
#include "report/utf8.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace culprit::report {

// The text of a line (from 1) of a source file, without its end; nothing if there is none.
using SourceLine = std::function<std::optional<std::string>(const std::string &file, size_t line)>;

struct Excerpt {
  std::string text; // of the line
  size_t line = 0;
  size_t column = 0; // in bytes, from 1; 0: not known
  std::string remark;
};

// The part of a line that a diagnostic at a column (in bytes, from 1) is about: offsets of its
// first byte and of the one behind its last.
struct Statement {
  size_t begin = 0;
  size_t end = 0;
};
std::optional<Statement> statement_at(std::string_view line, size_t column);

std::string render(const Excerpt &excerpt, const Style &style);

} // namespace culprit::report
