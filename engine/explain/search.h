// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explaining one failure: the two runs are traced and aligned, the chain of cause transitions is
// followed (chain.h), and what was found is given its names.
#pragma once

#include "engine/error.h"
#include "engine/explain/alignment.h"
#include "engine/explain/chain.h"
#include "engine/explain/naming.h"
#include "engine/explain/stopped_pair.h"
#include "engine/explain/tables.h"
#include "engine/explain/target.h"
#include "engine/launch/launch.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace culprit::explain {

struct Transition {
  Location at;
  size_t instance = 1; // the so manieth execution of that statement in the failing run
  std::vector<NamedValue> variables;
  bool parts = false; // the runs part here: what is executed next is not the same
};

// Where two runs part for the first time.
struct Divergence {
  Location at; // the last point of both
  size_t instance = 1;
  std::optional<Location> next_a; // and where each goes; nothing: it ends
  std::optional<Location> next_b;
};

struct Failure {
  launch::Status status;
  std::optional<Location> at;  // of a crash: the last statement that was begun
  std::string output;          // standard output and error from where they begin to differ,
  std::string expected_output; // the passing run's
};

struct Explanation {
  std::vector<Transition> transitions; // in the order of the run
  Failure failure;
  std::optional<Divergence> divergence; // none: the runs never part
  Chain chain;
  PathCounts by_path; // the most at one step that alignment by path would find
  std::chrono::microseconds wall{0};
  std::string irreproducible; // why there is nothing to explain; empty: there is
};

struct SearchOptions {
  ChainLimits limits = {};
  std::filesystem::path scratch;
  Alike alike = Alike::index;
  std::string oracle = {}; // empty: ends are compared
  std::function<void(size_t tests)> on_tests = {};
};

Result<Explanation> explain(const Run &passing, const Run &failing, const SearchOptions &options);

// Both traced and aligned: what `diff` tells.
struct Compared {
  Execution a;
  Execution b;
  Alignment alignment;
  std::optional<Divergence> divergence;
};

Result<Compared> trace_both(const Run &a, const Run &b, const std::filesystem::path &scratch);

} // namespace culprit::explain
