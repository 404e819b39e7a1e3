// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON document of `culprit check`: what the analyses found in each run, in the words of the
// contract with users. check_text.h turns it into text.
//
// Findings of heap and access are one list. Each detector orders its own; of the first of both that
// is left, the more confident one comes next.
#pragma once

#include "engine/access/judge.h"
#include "engine/access/settled.h"
#include "engine/monitor/explain.h"
#include "engine/monitor/explain_access.h"
#include "engine/monitor/verified.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace culprit::report {

// The access part of a run.
struct CheckedAccesses {
  access::AccessRun run;
  access::Verdict verdict;
  std::shared_ptr<const access::AccessModel> model; // it was judged by; null: it was not judged
  std::vector<monitor::Frames> stacks;              // as verdict.findings; empty: not symbolized
  std::vector<monitor::Frames> note_stacks;         // as verdict.notes
  std::vector<access::Settled> settled;             // as verdict.findings; empty: not asked
  bool by_start = false;                            // the model is of the run's own first periods
};

struct CheckedRun {
  std::string label;
  std::vector<std::string> arguments;
  std::string status;
  heap::HeapRun run;
  heap::Verdict verdict;
  monitor::Explanation explanation;
  CheckedAccesses accesses;
  std::vector<std::string> remarks;          // beside those of verdict and explanation
  std::optional<monitor::Verified> verified; // with --verify
};

// An entry of `runs`.
nlohmann::ordered_json check_run_document(const CheckedRun &checked,
                                          const heap::HeapSettings &settings);

// All that check does not report as found by the detector: {"pairs", "outliers", "pruned", …}.
nlohmann::ordered_json judged_accesses_document(const access::Verdict &verdict);

nlohmann::ordered_json verify_document(const monitor::Verified &verified);

// "'indegree = 1' is 31.0 % of the heap, learned range 13.2–18.5 %"
std::string finding_message(const heap::Finding &finding, const heap::HeapRun &run);

} // namespace culprit::report
