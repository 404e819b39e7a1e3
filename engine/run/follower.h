// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a run file while it is being written: each look has the records that are whole now and were
// not at the look before. A look costs what is new, not what is there, so that a run of a day can
// be followed several times a second.
//
// Rules: a record that is being written ends a look, and the next one begins with it; a file that
// is not there, or not begun, has no records yet. Damage is an Error, at this look and every later
// one.
#pragma once

#include "engine/run/run_file.h"

#include <filesystem>
#include <vector>

namespace culprit::run {

class Follower {
public:
  explicit Follower(std::filesystem::path path) : path_(std::move(path)) {}

  // Bounded: a look at a file that grew by more than some megabytes has the first of them, and
  // `behind()` says that there is more.
  Result<std::vector<Record>> look();
  bool behind() const { return behind_; }

private:
  std::filesystem::path path_;
  uint64_t at_ = sizeof(culprit_run_header);
  uint64_t number_ = 0;
  bool behind_ = false;
};

} // namespace culprit::run
