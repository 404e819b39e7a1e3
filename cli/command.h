// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sub-command is one file and one row of the table in commands.cpp: its name, one line of help,
// and a function that declares its options and returns what to do once they are parsed.
#pragma once

#include "engine/error.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace culprit::cli {

// Exit codes of the contract with users: 0 done, 1 findings, 2 the job could not be done.
inline constexpr int kDone = 0;
inline constexpr int kFindings = 1;
inline constexpr int kCannot = 2;

// Runs the command; returns the exit code.
using Action = std::function<int()>;

struct Command {
  const char *name;
  const char *summary;
  Action (*declare)(CLI::App &app);
};

// Commands with ordinary options. (cc, c++, ar, ranlib and the linker shim pass their arguments on
// untouched and are rows of another table, in main.cpp.)
std::span<const Command> commands();

Action declare_cache(CLI::App &app);
Action declare_completion(CLI::App &app);
Action declare_doctor(CLI::App &app);
Action declare_flavour(CLI::App &app);
Action declare_info(CLI::App &app);
Action declare_run(CLI::App &app);

// Prints `culprit: error: …` and the hint to standard error; returns kCannot.
int report_error(const Error &error);

// Tells on standard error that a flavour is being made: the first use of a program takes seconds.
void say_making(bool quiet, std::string_view flavour, std::string_view file);

} // namespace culprit::cli
