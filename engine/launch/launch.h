// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches: executions of the target with everything fixed that can be. docs/launching.md says what
// is fixed, what is private to a launch and what happens where the system refuses.
//
// run() gives the same outcome for the same request, as far as that is in our hands. It blocks, may
// be called from many threads at once, and leaves no process and no file behind but the run file.
#pragma once

#include "engine/error.h"
#include "engine/launch/cases.h"
#include "engine/launch/environment.h"
#include "engine/launch/interrupt.h"
#include "engine/launch/status.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace culprit::launch {

struct Substitution {
  std::filesystem::path original;
  std::filesystem::path replacement;
};

struct Program {
  std::filesystem::path original; // what the user asked to run; what the target believes it is
  std::filesystem::path executable =
      {}; // the flavour that runs in its place; empty: original itself
  std::vector<Substitution> substitutions = {}; // flavours of the shared objects it needs
  std::string name = {};                        // argv[0] as the user typed it; empty: original
  std::vector<std::string> under = {}; // a program and its options that are to run this one; none:
                                       // the kernel
};

struct Limits {
  std::chrono::milliseconds timeout{0}; // of wall-clock time; 0: none
  uint64_t memory_bytes = 0;            // private memory of all processes together; 0: none
  uint64_t file_bytes = 0;              // size of one written file, run files included; 0: none
  uint64_t stack_bytes = 8ULL << 20;    // of the first thread; 0: as much as ours
  uint64_t output_bytes = 16ULL << 20;  // of standard output and error each; more is thrown away
  uint64_t private_bytes = 1ULL << 30;  // of a copy, or of changes kept in memory
};

enum class Privacy {
  automatic, // overlay, else a copy
  copy,      // as if no overlay could be mounted
  none,      // in place: changes stay
};

enum class Namespaces {
  automatic,
  user, // as an ordinary user would have it, also when privileged
  none, // as if the system refused all of them
};

struct EnvironmentPolicy {
  bool inherit = true;
  Variables set = {};
  std::vector<std::string> unset = {};
};

struct Request {
  Program program;
  Case input = {};
  std::filesystem::path directory = {}; // where it runs, private; empty: our current directory
  std::vector<std::filesystem::path> private_directories = {};
  // Seen as they are even inside a private directory. Where the runtime options name paths, their
  // directories are added.
  std::vector<std::filesystem::path> shared_directories = {};
  Limits limits = {};
  Variables runtime_options = {}; // rows of abi/options.def
  EnvironmentPolicy environment = {};
  bool capture = true; // false: standard output and error are ours
  // False: the address layout is a random one, as outside of culprit, wherever the user has it so.
  bool fix_addresses = true;
  Privacy privacy = Privacy::automatic;
  Namespaces namespaces = Namespaces::automatic;
};

struct Outcome {
  Status status;
  std::string out;
  std::string err;
  uint64_t out_discarded = 0; // bytes beyond Limits::output_bytes
  uint64_t err_discarded = 0;
  std::chrono::microseconds wall{0};
  std::chrono::microseconds user{0};
  std::chrono::microseconds system{0};
  uint64_t peak_bytes = 0;                       // resident memory of the largest process
  std::optional<std::filesystem::path> run_file; // if one was asked for and is there
  std::vector<std::string> notes; // what the system refused to fix or to keep private
};

// An Error means that the target could not be started; a target that fails is an outcome.
Result<Outcome> run(const Request &request, std::stop_token stop = interrupt_token());

using LaunchDone = std::function<void(size_t index, const Result<Outcome> &)>;

// At most `jobs` at once, started in order, results in order; `done` is called by one thread at a
// time. When stop is asked for, the running ones end as cancelled and those never started stay
// empty.
std::vector<std::optional<Result<Outcome>>> run_all(std::span<const Request> requests,
                                                    unsigned jobs, const LaunchDone &done = {},
                                                    std::stop_token stop = interrupt_token());

} // namespace culprit::launch
