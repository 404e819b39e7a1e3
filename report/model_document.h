// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON of a model, for `culprit train` and `culprit show`: runs, metrics with class and range,
// allocation sites with ranges of their own, access sets; and that of a saved run. model_text.h
// turns both into text.
#pragma once

#include "engine/access/statistics.h"
#include "engine/heap/learn.h"
#include "engine/model/model.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace culprit::report {

// A run that never got into the model: crashed, timed out.
struct LeftOutRun {
  std::string label;
  std::vector<std::string> arguments;
  std::string status;
  size_t points = 0;
  std::string why;
};

// Adds `runs`, `metrics`, `sites`, `builds` to a document that has its head. `learned` is what
// learn() made of ordered_runs(contents).
void add_model(nlohmann::ordered_json &document, const model::Contents &contents,
               const heap::HeapModel &learned, const std::vector<LeftOutRun> &left_out = {});

// Adds `access`: what the model knows of access sets. Nothing, if it knows none.
void add_access(nlohmann::ordered_json &document, const access::History &history,
                const access::AccessSettings &settings);

// The same of a saved run, whose periods take the place of runs.
void add_access(nlohmann::ordered_json &document, const access::AccessRun &run,
                const access::AccessSettings &settings);

// Adds `runs` (one) and `metrics` of a saved run.
void add_run(nlohmann::ordered_json &document, const heap::HeapRun &run,
             const heap::HeapSettings &settings);

} // namespace culprit::report
