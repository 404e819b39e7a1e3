// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `culprit check` judges runs by: a model, or each run's own beginning.
//
// A model knows heap, accesses or both. What it does not know is not judged, which is said once; it
// is an error only if it was asked for by name.
#pragma once

#include "cli/analysis_options.h"
#include "engine/access/judge.h"
#include "engine/heap/judge.h"
#include "engine/model/model.h"
#include "report/check_document.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace culprit::cli {

struct Standard {
  bool by_start = false; // each by its own beginning (--learn)
  Parts parts;           // judged
  heap::HeapModel heap;  // else by these
  std::shared_ptr<const access::AccessModel> accesses;
  model::Contents contents; // they come from
  settings::Settings settings;
  std::filesystem::path file;
  std::vector<std::string> remarks;

  heap::Verdict judge(const heap::HeapRun &run) const;
  heap::HeapModel model_for(const heap::HeapRun &run) const;
  // An empty verdict, without a model, if accesses are not judged.
  report::CheckedAccesses judge(access::AccessRun run) const;
  // How long ago each finding's object had its last new writer; empty if nobody knows.
  std::vector<access::Settled> settled(const report::CheckedAccesses &judged) const;
};

// Fails, with a hint what to do, where there is no model, a damaged one, or one that does not know
// what is asked for.
Result<Standard> read_standard(const AnalysisOptions &options, const std::string &program,
                               const settings::Settings &settings);
// By nothing: the run is looked at, and not judged.
Standard no_standard(const AnalysisOptions &options, const std::string &program,
                     const settings::Settings &settings);
// By its own beginning.
Standard standard_by_start(const AnalysisOptions &options, const settings::Settings &settings);

// Fails if the one is of instrumented runs and the other of a program that is run as it is: their
// metric points are taken at other moments.
Result<void> compare_kind(const model::Contents &contents, const monitor::Target &target,
                          const std::filesystem::path &file);

// Fails for the model of another program; remarks how much of the program it knows.
Result<void> compare_program(Standard &standard, const monitor::Target &target);

// Ranges for the runtime, which keeps call stacks while a metric moves towards an end of its own:
// the file they are written to, if there are any.
Result<std::optional<std::filesystem::path>> write_ranges(const Standard &standard,
                                                          const std::filesystem::path &scratch);

} // namespace culprit::cli
