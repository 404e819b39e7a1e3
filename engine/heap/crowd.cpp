// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See crowd.h.
#include "engine/heap/crowd.h"

#include "abi/run_file.h"

#include <algorithm>

namespace culprit::heap {
namespace {

constexpr double kBaseline = 0.05; // fewer objects that did not move than this share say nothing

double at(const std::map<CrowdCell, double> &objects, CrowdCell cell) {
  const auto found = objects.find(cell);
  return found == objects.end() ? 0 : found->second;
}

} // namespace

CrowdCell crowd_cell(uint64_t site_position, unsigned cell) {
  return site_position * CULPRIT_CELLS + cell;
}

void Tally::add(CrowdCell cell, double objects, double moved) {
  if (moved > 0)
    inside[cell] += objects;
  else
    outside += objects;
}

double Tally::objects() const {
  double objects = outside;
  for (const auto &[cell, count] : inside)
    objects += count;
  return objects;
}

void Crowd::add(CrowdCell cell, double objects, double share) {
  all.add(cell, objects, share);
  if (share > 0)
    excess[cell] += objects * share;
  moved += objects * share;
}

double Crowd::explained(const Tally &tally) const {
  double objects = 0;
  for (const auto &[cell, count] : tally.inside)
    objects += std::min(count, at(excess, cell));
  return objects;
}

double Crowd::in_proportion(const Tally &tally) const {
  double objects = 0;
  for (const auto &[cell, count] : tally.inside)
    if (const double there = at(all.inside, cell); there > 0)
      objects += count * at(excess, cell) / there;
  return objects;
}

double Crowd::specificity(const Tally &tally) const {
  if (tally.inside.empty() || moved <= 0)
    return 0;
  if (!can_compare())
    return 1;
  const double base = moved / all.objects();
  return std::max(0.0, (explained(tally) / tally.objects() - base) / (1 - base));
}

double Crowd::expected(const Tally &tally) const {
  const double specific = specificity(tally);
  return specific * explained(tally) + (1 - specific) * in_proportion(tally);
}

bool Crowd::can_compare() const { return all.objects() - moved >= kBaseline * moved; }

} // namespace culprit::heap
