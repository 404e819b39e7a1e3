// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `check --clb` measured: the columns of the paper's tables 5 to 9 and figures 5 and 6 that can
// be measured without its hardware. clb_text.h turns it into text.
#pragma once

#include "engine/access/clb.h"

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace culprit::report {

// What is known of the same run otherwise.
struct ClbFindings {
  bool cut_short = false;    // not all of its accesses were told
  std::vector<size_t> ranks; // of access findings, among all
  size_t findings = 0;       // of access
  size_t notes = 0;
};

nlohmann::ordered_json clb_document(const access::ClbReport &measured, const ClbFindings &found);

// Several runs as one: counts are added up, sizes are the largest.
access::ClbReport sum(const std::vector<access::ClbReport> &all);

} // namespace culprit::report
