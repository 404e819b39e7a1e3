// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a tool (compiler, linker, objcopy) and waits for it. Nothing about the tool's surroundings
// is fixed or hidden; that is what launch.h is for.
//
// A tool whose output is captured gets an empty standard input and a process group of its own, so
// that it and what it started can be ended together. A tool that shares our terminal stays in our
// group: in another one it would be stopped when it reads from the terminal. Either way only
// descriptors 0, 1 and 2 are open in it, its signals are as by default, and it is ended when `stop`
// is asked for or when this process dies.
#pragma once

#include "engine/error.h"
#include "engine/launch/interrupt.h"
#include "engine/launch/status.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace culprit::launch {

struct ToolRun {
  std::vector<std::string> argv = {}; // argv[0] without a slash is looked up in PATH
  std::optional<std::filesystem::path> directory = {};
  std::vector<std::pair<std::string, std::string>> extra_environment = {};
  bool capture_output = true;
  std::chrono::milliseconds timeout{0}; // 0: none
};

struct ToolOutcome {
  Status status;
  std::string out;
  std::string err;
};

// An Error means that the tool could not be started at all; a tool that fails is an outcome.
Result<ToolOutcome> run_tool(const ToolRun &run, std::stop_token stop = interrupt_token());

struct ToolsOutcome {
  std::vector<std::optional<ToolOutcome>> outcomes; // one for each run; empty: not started
  std::optional<size_t> first_failed;               // the failure that stopped the others

  bool success() const { return !first_failed && !stopped; }
  bool stopped = false; // the caller's stop was asked for before all were done
};

// Runs at most `jobs` tools at once, in order. The first that does not succeed stops the rest.
Result<ToolsOutcome> run_tools(std::span<const ToolRun> runs, unsigned jobs,
                               std::stop_token stop = interrupt_token());

// The file that running `name` would execute: `name` itself if it has a slash, else the first match
// in PATH.
std::optional<std::filesystem::path> find_program(std::string_view name);

} // namespace culprit::launch
