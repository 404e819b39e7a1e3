// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit check` judges runs by: a model, or each run's own beginning.
#pragma once

#include "cli/analysis_options.h"
#include "engine/heap/judge.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace culprit::cli {

struct Standard {
  bool by_start = false; // each by its own beginning (--learn)
  heap::HeapModel model; // else by this
  heap::HeapSettings settings;
  std::filesystem::path file;
  std::vector<std::string> remarks;

  heap::Verdict judge(const heap::HeapRun &run) const {
    return by_start ? heap::learn_then_judge(run, settings) : heap::judge(model, run, settings);
  }
  heap::HeapModel model_for(const heap::HeapRun &run) const {
    return by_start ? heap::learn_from_start(run, settings) : model;
  }
};

// Fails, with a hint what to do, where there is no model, or one of another program.
Result<Standard> read_standard(const AnalysisOptions &options, bool by_start,
                               const monitor::Target &target, const heap::HeapSettings &settings);

// Ranges for the runtime, which keeps call stacks while a metric moves towards an end of its own:
// the file they are written to, if there are any.
Result<std::optional<std::filesystem::path>> write_ranges(const Standard &standard,
                                                          const std::filesystem::path &scratch);

} // namespace culprit::cli
