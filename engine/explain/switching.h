// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A passing run where none is given: the failing one with one branch decided the other way
// (predicate switching). Branches are tried from the last one executed back. Without an oracle the
// first that lets the program exit with 0 is taken; with one, which knows a right answer from a
// wrong one, the earliest that was found, because what is switched just before a failure only hides
// it.
#pragma once

#include "engine/error.h"
#include "engine/explain/tables.h"
#include "engine/explain/target.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace culprit::explain {

struct Switched {
  uint64_t index = 0; // of the point that decides
  unsigned way = 0;   // of a switch
  Location at;
  size_t instance = 1;
  size_t tries = 0; // executions until it was found, and behind that
};

struct SwitchOptions {
  std::string oracle = {};
  size_t tries = 2000;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::filesystem::path scratch = {};
  std::function<void()> on_try = {};
};

struct SwitchSearch {
  std::optional<Switched> found; // nothing: no branch that was tried makes it pass
  size_t tries = 0;
  bool over = false; // tries or time were used up
};
Result<SwitchSearch> find_switch(const Run &failing, const SwitchOptions &options);

// The same run with that branch decided the other way.
Run with_switch(const Run &run, const Switched &switched);

} // namespace culprit::explain
