// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of a command: which arguments and which standard input each execution of the target
// gets. File names become absolute here, because a target may run in another directory or change
// it.
#pragma once

#include "engine/error.h"
#include "engine/launch/interrupt.h"

#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::launch {

struct Case {
  std::vector<std::string> arguments = {};                  // without the program's name
  std::optional<std::filesystem::path> standard_input = {}; // none: empty
  std::string label = {}; // for reports: the input's name, or the arguments
};

// `-- PROG ARGS`. What `standard_input` (a descriptor) yields is read to its end into `captured`,
// unless it is a terminal or closed. Reading from a pipe can take for ever, hence `stop`.
Result<Case> single_case(std::vector<std::string> arguments, int standard_input,
                         const std::filesystem::path &captured,
                         std::stop_token stop = interrupt_token());

// `--inputs DIR -- PROG @@`: one case for each regular file, sorted by name.
Result<std::vector<Case>> cases_of_directory(const std::filesystem::path &directory,
                                             std::span<const std::string> arguments);

// `--cases FILE -- PROG`: one case for each line.
Result<std::vector<Case>> cases_of_file(const std::filesystem::path &file,
                                        std::span<const std::string> arguments);

// One line of such a file, or A and B of diff and explain: arguments to append, or, where
// `arguments` has @@, the file to put there.
Result<Case> case_of_text(std::string_view text, std::span<const std::string> arguments);

} // namespace culprit::launch
