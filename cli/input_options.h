// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options by which every command that executes the target takes its inputs: `-- PROG ARGS`,
// `--inputs DIR`,
// `--cases FILE`, `-j`, `--timeout`, `--private`.
#pragma once

#include "engine/error.h"
#include "engine/launch/launch.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace culprit::cli {

// Some commands can do without a program when other options name what to work on.
enum class ProgramIs { required, optional };
// And some look at one run.
enum class Runs { one, many };

// CLI11 takes a word in brackets for a list: `[a,b]` would be two words, `[a-z]` one without
// brackets. Behind `--` words are the program's: those in brackets are marked before they are
// parsed, and declare() takes the marks off.
std::vector<std::string> with_marks(std::span<const char *const> words);

// The file that standard input was taken from, as seen from the current directory; nothing: it is
// none.
std::optional<std::string> file_of_standard_input();

// A run as one would type it: `PROG ARGS < FILE`.
std::string shown_run(const std::string &program, const std::vector<std::string> &arguments,
                      const std::optional<std::string> &standard_input);

struct InputOptions {
  std::vector<std::string> command; // PROG and its arguments
  std::string inputs;
  std::string cases;
  std::vector<std::string> private_directories;
  double timeout_seconds = 0; // 0: none
  unsigned jobs;              // default: the machine's cores

  InputOptions();
  void declare(CLI::App &app, ProgramIs program = ProgramIs::required, Runs runs = Runs::many);

  // The cases asked for. Standard input, if captured, goes to a file in `scratch`.
  Result<std::vector<launch::Case>> read_cases(const std::filesystem::path &scratch) const;

  // One request for each case, with what all share filled in.
  std::vector<launch::Request> requests(const launch::Program &program,
                                        std::vector<launch::Case> cases) const;

  // A case as one would type it again: `PROG ARGS < FILE`. What came through a pipe is not there
  // any more, and is left out.
  std::string shown(const launch::Case &input) const;
};

} // namespace culprit::cli
