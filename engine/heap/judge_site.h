// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judging the objects of single allocation sites; see judge.h.
#pragma once

#include "engine/heap/judge.h"

#include <span>

namespace culprit::heap {

struct SiteVerdict {
  std::vector<Finding> findings; // at most one for each site
  std::vector<Finding> notes;    // sites that training never saw
};

// Over `window` of the steps; all margins are multiplied by `widening`.
SiteVerdict judge_sites(const HeapModel &model, const HeapRun &run, std::span<const size_t> steps,
                        Window window, double widening, const HeapSettings &settings);

} // namespace culprit::heap
