// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributions over access sets: their sizes and their similarity from run to run or from period
// to period (the paper's figures 1 and 2), and the sizes of the inverse sets, the names of a site.
//
// Similarity of a name is the number of sites that all its runs have in common by the number of
// sites any of them has; runs that never accessed the name take no part. A name of fewer than two
// runs has none.
#pragma once

#include "engine/access/learn.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace culprit::access {

struct SizeStep {
  size_t size = 0;
  double share = 0; // 0..1: of the names (or sites) with at most this size
};

struct SimilarityStep {
  double similarity = 0;
  double share = 0; // 0..1: of the names with at least this similarity
};

struct Distributions {
  size_t objects = 0; // names
  size_t sites = 0;
  size_t pairs = 0;
  size_t runs = 0;
  uint64_t accesses = 0;
  std::vector<SizeStep> set_size;         // ascending, ends at 1
  std::vector<SimilarityStep> similarity; // from 1 downwards, ends at 1
  std::vector<SizeStep> inverse_size;     // names of a site
};

// `kind`: only names of this kind (the paper's figures show globals).
Distributions distributions(const History &history, const AccessSettings &settings,
                            std::optional<NameKind> kind = {});
// Over the periods of one run.
Distributions distributions_of_periods(const AccessRun &run, const AccessSettings &settings,
                                       std::optional<NameKind> kind = {});

// A distribution at these sizes (or similarities): for tables of fixed width.
double share_at(const std::vector<SizeStep> &steps, size_t size);
double share_at(const std::vector<SimilarityStep> &steps, double similarity);

} // namespace culprit::access
