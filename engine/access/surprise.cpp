// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See surprise.h.
#include "engine/access/surprise.h"

#include <algorithm>
#include <numeric>

namespace culprit::access {
namespace {

constexpr int kMaxSteps = 4096; // objects one overrun runs over; also ends a circle

// What the settings say counts as much as this many innocent outliers.
constexpr double kPriorOutliers = 20;
constexpr double kShareInErrors = 0.5; // that have the evidence their kind would leave

// Backwards over what this site ran over, to an object it normally accesses.
uint64_t overrun_from(uint64_t name, const Surroundings &around) {
  uint64_t before = around.before;
  for (int step = 0; step < kMaxSteps && before != 0 && before != name; ++step) {
    if (around.is_normal(before))
      return before;
    const uint64_t next = around.before_of(before);
    // Code that never ran has no normal object. Its first one will do, if what it runs into is
    // another object and none of the heap, where one block after the other is nothing special.
    if (next == 0 || next == before)
      return !around.site_seen && around.kind != NameKind::heap && around.is_other_object(before)
                 ? before
                 : 0;
    before = next;
  }
  return 0;
}

} // namespace

double settledness(const Acquaintance &side) {
  // Before anything is known, new partners are expected in proportion to the partners there are:
  // a quarter of one, once, for each.
  const double expected = (static_cast<double>(std::max(side.size, 1U)) + 1) / 4;
  return (static_cast<double>(side.runs) + 1) / (static_cast<double>(side.once) + expected);
}

Acquaintance never_accessed(NameKind kind, size_t runs, size_t object_runs) {
  const bool was_there = kind == NameKind::global || is_nobodys(kind);
  return {static_cast<uint32_t>(was_there ? runs : object_runs), 0, 0, 0};
}

std::string_view evidence_word(Evidence evidence) {
  switch (evidence) {
  case Evidence::none:
    return "";
  case Evidence::overrun:
    return "overrun";
  case Evidence::dangling:
    return "dangling";
  case Evidence::return_slot:
    return "return address";
  case Evidence::outside:
    return "outside";
  }
  return "";
}

Proof proof_of(uint64_t name, const Surroundings &around) {
  const uint64_t from = overrun_from(name, around);
  if (around.kind == NameKind::return_slot)
    return {Evidence::return_slot, from};
  // What runs over its end may come into a freed block; else the pointer is one to who lived there,
  // whether or not the site normally accesses that: nobody owns this memory now. If it does, that
  // is it: of many blocks of one kind, there is always one in front.
  if (around.kind == NameKind::freed) {
    const bool was_its = around.previous != 0 && around.is_normal(around.previous);
    return from != 0 && !was_its ? Proof{Evidence::overrun, from}
                                 : Proof{Evidence::outside, around.previous};
  }
  // Whether or not the site normally accesses the block in front: nobody owns this memory.
  if (around.kind == NameKind::outside)
    return {Evidence::outside, from != 0 ? from : around.before};
  if (from != 0)
    return {Evidence::overrun, from};
  if (around.previous != 0 && around.previous != name && around.is_normal(around.previous))
    return {Evidence::dangling, around.previous};
  return {};
}

Weights weights_of(const AccessSettings &settings) {
  return {1, settings.overrun, settings.dangling, settings.return_slot, settings.outside};
}

Weights weights_of(const AccessSettings &settings, const std::array<size_t, kEvidences> &innocent) {
  Weights weights = weights_of(settings);
  const auto all =
      static_cast<double>(std::accumulate(innocent.begin(), innocent.end(), size_t{0}));
  for (size_t kind = 1; kind < kEvidences; ++kind) // none is the measure of the others
    weights[kind] = std::max(1.0, weights[kind] * (all + kPriorOutliers) /
                                      (kPriorOutliers + weights[kind] / kShareInErrors *
                                                            static_cast<double>(innocent[kind])));
  return weights;
}

} // namespace culprit::access
