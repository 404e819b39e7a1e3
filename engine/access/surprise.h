// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How surprising it is that a site meets a name it never met: the same computation for a checked
// run, judged by all training runs, and for a training run that is left out, judged by the others.
// docs/access-judging.md derives it.
//
// surprise = settledness(site) × settledness(name) × weight of the evidence. Settledness is what
// Good and Turing would expect: it grows with the runs in which no new partner came, and falls with
// each partner that came in one run only and with the number of partners.
#pragma once

#include "engine/access/names.h"
#include "engine/access/settings.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

namespace culprit::access {

// One side of the pairs: a site with its names, or a name with its sites.
struct Acquaintance {
  uint32_t runs = 0;     // in which it occurred
  uint32_t size = 0;     // partners: of a name, the paper's AccSetSize
  uint32_t once = 0;     // partners met in one run only
  uint64_t accesses = 0; // all counts: of a name, the paper's NumAccess_total
};

double settledness(const Acquaintance &side);

// A name that no run accessed: a global has been there all the time, and so have the slot of a
// return address and the memory behind a block; a member of a block or local was there in
// `object_runs`, in which others of its members were accessed.
Acquaintance never_accessed(NameKind kind, size_t runs, size_t object_runs);

enum class Evidence { none, overrun, dangling, return_slot, outside };
std::string_view evidence_word(Evidence evidence); // "", "overrun", "dangling", "return address", …

struct Proof {
  Evidence evidence = Evidence::none;
  uint64_t from = 0; // of an overrun, the name it began in; of a dangling access, who lived there
};

// The pairs around an outlier, in the run it happened in.
struct Surroundings {
  NameKind kind = NameKind::global; // of the outlier's name
  bool site_seen = false;           // in training
  uint64_t before = 0;
  uint64_t previous = 0;
  std::function<bool(uint64_t name)> is_normal;       // for the same site, by training
  std::function<uint64_t(uint64_t name)> before_of;   // of another outlier of the same site; else 0
  std::function<bool(uint64_t name)> is_other_object; // than the outlier's
};
Proof proof_of(uint64_t name, const Surroundings &around);

constexpr size_t kEvidences = 5;

// How telling each kind of evidence is: how much more often errors have it than innocent outliers
// do. The setting, until training's own outliers say more.
using Weights = std::array<double, kEvidences>;
Weights weights_of(const AccessSettings &settings);
Weights weights_of(const AccessSettings &settings, const std::array<size_t, kEvidences> &innocent);

} // namespace culprit::access
