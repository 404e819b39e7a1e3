// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a clang command line with clang's own option table, so that nothing about its hundreds of
// options is guessed here, and answers two questions: what must `culprit cc` add, and which options
// must a flavour repeat.
#pragma once

#include "engine/build/toolchain.h"
#include "engine/error.h"

#include <string>
#include <vector>

namespace culprit::build {

struct DriverCommand {
  std::vector<std::string> argv;
  std::string linker; // what the shim shall run (CULPRIT_LINKER_VARIABLE); empty: nothing is linked
};

// The command `culprit cc` (or c++) executes for these arguments (without argv[0]).
DriverCommand driver_command(const Toolchain &toolchain, bool is_cxx,
                             const std::vector<std::string> &arguments);

// The options of a recorded compile line that decide about generated code: all but inputs, outputs,
// the preprocessor's, warnings, dependencies and the linker's. A deny-list: an unknown option is
// repeated.
std::vector<std::string> code_generation_options(const std::vector<std::string> &arguments);

// Expands @FILE arguments as clang and the linkers do.
std::vector<std::string> expand_response_files(const std::vector<std::string> &arguments);

// Names the linker that the shim `culprit-ld` runs; set by `culprit cc` for the clang it executes.
inline constexpr const char *kLinkerVariable = "CULPRIT_LINKER";

} // namespace culprit::build
