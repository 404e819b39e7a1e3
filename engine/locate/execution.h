// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One execution of a locate flavour, and what its runtime told of it.
#pragma once

#include "abi/locate.h"
#include "engine/error.h"
#include "engine/launch/status.h"
#include "engine/locate/targets.h"
#include "engine/run/run_file.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace culprit::locate {

struct Execution {
  launch::Status status = {};
  std::optional<run::Crash> crash = {}; // of whichever of its processes crashed first
  std::vector<Fired> fired = {};
  culprit_record_arguments arguments = {}; // of the call that crashed, if it is one
  std::vector<run::Astray> astray = {};
  std::optional<culprit_record_assembled> assembled = {}; // a pointer that the crash has used
  std::vector<run::Brought> brought = {};                 // to the address that was watched
  std::vector<run::Module> modules = {}; // of the process that crashed, else of the first
  uint64_t output = 0;                   // a digest of standard output and error
  std::chrono::microseconds wall{0};
  std::vector<std::string> notes = {}; // what the system refused to fix or to keep private
};

// Reads what the processes of one launch wrote into `directory` (a run file for each). A directory
// without a run file is an Error.
Result<Execution> read_execution(const std::filesystem::path &directory);

// Why the second is no repetition of the first, in one line; empty: it is one. What is printed may
// differ: it has nothing to do with memory, as long as the crash is the same to the last id.
std::string difference(const Execution &first, const Execution &second);

} // namespace culprit::locate
