// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON document of `culprit check`: what the heap analysis found in each run, in the words of
// the contract with users. check_text.h turns it into text.
#pragma once

#include "engine/monitor/explain.h"
#include "engine/monitor/verified.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace culprit::report {

struct CheckedRun {
  std::string label;
  std::vector<std::string> arguments;
  std::string status;
  heap::HeapRun run;
  heap::Verdict verdict;
  monitor::Explanation explanation;
  std::vector<std::string> remarks;          // beside those of verdict and explanation
  std::optional<monitor::Verified> verified; // with --verify
};

// An entry of `runs`.
nlohmann::ordered_json check_run_document(const CheckedRun &checked,
                                          const heap::HeapSettings &settings);

nlohmann::ordered_json verify_document(const monitor::Verified &verified);

// "'indegree = 1' is 31.0 % of the heap, learned range 13.2–18.5 %"
std::string finding_message(const heap::Finding &finding, const heap::HeapRun &run);

} // namespace culprit::report
