// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sub-command is one file and one row of the table in commands.cpp: its name, one line of help,
// and a function that declares its options and returns what to do once they are parsed.
#pragma once

#include "cli/talk.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace culprit::cli {

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
Action declare_check(CLI::App &app);
Action declare_completion(CLI::App &app);
Action declare_demo(CLI::App &app);
Action declare_diff(CLI::App &app);
Action declare_doctor(CLI::App &app);
Action declare_explain(CLI::App &app);
Action declare_flavour(CLI::App &app);
Action declare_info(CLI::App &app);
Action declare_locate(CLI::App &app);
Action declare_merge(CLI::App &app);
Action declare_run(CLI::App &app);
Action declare_show(CLI::App &app);
Action declare_train(CLI::App &app);
Action declare_triage(CLI::App &app);
Action declare_watch(CLI::App &app);

} // namespace culprit::cli
