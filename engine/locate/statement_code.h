// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the code of a statement lies in an executable that was made without optimisation (flavour
// `debug`), for a debugger that shall stop at its n-th execution.
//
// A debugger's own `break FILE:LINE` will not do: it knows no columns, so that of a loop on one
// line it stops at the head, and where a line has no code it slides on to the next, be that in
// another function. At -O0 an expression's parts have rows of their own in the line table, and the
// last row with the column of an assignment or call has the write or the call itself.
#pragma once

#include "engine/error.h"
#include "engine/locate/tables.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace culprit::locate {

struct StatementCode {
  // Distances from the function main, which is where it is whatever else moves. More than one: the
  // function has several copies (an inlined one, an instance of a template).
  std::vector<int64_t> from_main = {};
  bool exact = false; // at its column; else at its line
};

// `at.function` may be a linkage name or what people call it. Nothing in it: the statement has no
// code (a declaration, an initial value).
Result<StatementCode> statement_code(const std::filesystem::path &executable, const Location &at);

} // namespace culprit::locate
