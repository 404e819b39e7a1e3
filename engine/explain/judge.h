// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Is the end of a test that of the failing run, that of the passing one, or neither? Without an
// oracle ends are compared: the same signal in the same statement, or the same exit code and the
// same output. An oracle is a command that is asked instead, with the run's output.
#pragma once

#include "engine/error.h"
#include "engine/explain/minimize.h"
#include "engine/explain/tables.h"
#include "engine/explain/target.h"
#include "engine/launch/status.h"

#include <filesystem>
#include <string>

namespace culprit::explain {

// Would the program be said to have ended in the same way? Of what does not end nobody knows.
bool is_same_end(const End &one, const Tables &tables, const End &other,
                 const Tables &other_tables);

// A whole run as an oracle sees it.
struct Ended {
  launch::Status status;
  std::string out;
  std::string err;
};

// `sh -c CMD` with the run's standard output as its input, and CULPRIT_STATUS (its exit code, or
// 128 and the signal, or 124 if it does not end) and CULPRIT_STDERR (a file) in its environment. It
// exits with 0: the run passes; 1: it fails; anything else: that cannot be said.
Result<Verdict> ask_oracle(const std::string &command, const Ended &run,
                           const std::filesystem::path &scratch);

} // namespace culprit::explain
