// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locating the first corruption of one case, the paper's Figure 7: is it repeatable, what does the
// iteration find, does another order of variables expose more, where in the source did it crash.
#pragma once

#include "engine/error.h"
#include "engine/launch/launch.h"
#include "engine/locate/iteration.h"
#include "engine/locate/settings.h"
#include "engine/locate/target.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace culprit::locate {

struct SearchOptions {
  LocateSettings settings = {};
  bool all = false;   // also errors that the first found does not explain
  bool notes = false; // tell what the system refused to fix
  // Executions of the located statement are counted as a debugger does (statement_count.h).
  bool count_statement = false;
  // Try other orders of variables where nothing crashes (any more); none: if nothing crashed at
  // all.
  std::optional<bool> expose = {};
  std::function<void(size_t tried, size_t orders)> on_order = {}; // before each order
  std::filesystem::path scratch;
  // How long the program may take without us if neither the request nor a setting says: if its
  // first execution takes a minute, this is what decides how much longer it may take.
  std::chrono::milliseconds longest = std::chrono::minutes(10);
};

struct Search {
  Located located = {};
  size_t orders = 0; // of variables that were tried
  // Why two executions were not the same, so that nothing was searched; empty: they were.
  std::string difference = {};
  // Of each step of the chain: its call stack, innermost first.
  std::vector<std::vector<symbolize::Place>> stacks = {};
};

Result<Search> search(const Target &target, const launch::Request &request,
                      const SearchOptions &options);

// How long an execution with suppressed effects may take.
std::chrono::milliseconds patience(const LocateSettings &settings, std::chrono::microseconds first,
                                   std::chrono::milliseconds asked_for);

} // namespace culprit::locate
