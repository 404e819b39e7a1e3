// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both runs, stopped at corresponding points: what differs there, and what becomes of the passing
// one when some of it is taken over.
#pragma once

#include "engine/explain/chain.h"
#include "engine/explain/judge.h"
#include "engine/explain/naming.h"
#include "engine/explain/symbolic.h"
#include "engine/explain/target.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace culprit::explain {

// How memory of two runs corresponds.
enum class Alike { index, path };

struct PairSettings {
  std::chrono::milliseconds patience{1000}; // with a test
  std::filesystem::path scratch = {};
  bool changes_files = false; // one of the runs does
  // Of a failing run that does not end, where it goes round: endless.h. Empty: it ends.
  std::vector<uint64_t> endless = {};
  Alike alike = Alike::index;
  std::string oracle = {};      // empty: ends are compared
  std::string passing_out = {}; // all that the passing run writes, for the oracle
  std::string passing_err = {};
};

class StoppedPair : public Point {
public:
  static Result<std::unique_ptr<StoppedPair>> open(const Run &passing, const Run &failing,
                                                   uint64_t index, const PairSettings &settings);

  bool ends_differ() const override { return ends_differ_; }
  const std::vector<Difference> &differences() const override { return differences_; }
  Result<std::vector<Verdict>> test(const std::vector<Subset> &subsets) override;

  // These differences, of differences(), with their names and values.
  std::vector<NamedValue> describe(const std::vector<Difference> &chosen) const;
  // What alignment by path would find here.
  PathCounts count_by_path() const;

private:
  StoppedPair(const Run &passing, const Run &failing, const PairSettings &settings)
      : passing_run_(passing), failing_run_(failing), settings_(settings) {}
  Result<void> compare_ends();
  void find_differences();
  Side target() const { return {passing_->snapshot(), passing_run_.target.tables()}; }
  Side source() const { return {failing_->snapshot(), failing_run_.target.tables()}; }
  std::string patch_of(const Subset &subset) const;
  Result<Verdict> judge(const End &end) const;
  bool goes_round(const End &end) const;
  Result<Verdict> ask(const End &end) const;

  const Run &passing_run_;
  const Run &failing_run_;
  const PairSettings &settings_;
  std::unique_ptr<Stopped> passing_;
  std::unique_ptr<Stopped> failing_;
  End passed_;
  End failed_;
  bool ends_differ_ = false;
  std::vector<Difference> differences_;
  std::vector<PathDifference> by_path_; // as many, if memory corresponds by path
};

} // namespace culprit::explain
