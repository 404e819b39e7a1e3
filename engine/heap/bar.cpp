// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See bar.h.
#include "engine/heap/bar.h"

#include <algorithm>
#include <cmath>

namespace culprit::heap {
namespace {

// Exact factors for 2 and 3 values at 95 %/99.9 % are 49 and 14; with so few runs little is known.
constexpr double kFactorOfTwo = 50;
constexpr double kFactorOfThree = 20;
constexpr double kRatioLimit = 8; // how much persistence and support may add to the confidence

double beyond(const Step &step, const Range &limits, bool high) {
  return high ? step.value - limits.high : limits.low - step.value;
}

bool counts(const Step &step, const Demands &demands) {
  return step.judged && !std::isnan(step.value) && (demands.raw || step.objects >= demands.objects);
}

bool is_outside(const Step &step, const Demands &demands, bool high) {
  if (!counts(step, demands))
    return false;
  if (demands.raw)
    return beyond(step, step.range, high) > 0;
  return beyond(step, step.bar, high) > 0 &&
         beyond(step, step.range, high) * step.objects / 100 >= demands.excess;
}

Outside one_side(std::span<const Step> steps, const Demands &demands, bool high) {
  Outside found;
  found.high = high;
  double worst = 0;
  double support = 0;
  size_t row = 0;
  size_t last_point = SIZE_MAX;
  size_t end_row = 0; // judged steps outside up to here, without one inside
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    if (!counts(step, demands))
      continue;
    ++found.judged;
    if (!is_outside(step, demands, high)) {
      row = 0;
      end_row = 0;
      last_point = SIZE_MAX;
      continue;
    }
    row += step.point != last_point ? 1 : 0; // a step may repeat the point before
    last_point = step.point;
    ++end_row;
    ++found.count;
    found.longest = std::max(found.longest, row);
    const double distance = beyond(step, step.range, high);
    support += distance * step.objects / 100;
    if (!found.any)
      found.first = i;
    if (!found.any || distance > worst) {
      worst = distance;
      found.worst = i;
    }
    found.any = true;
  }
  if (!found.any)
    return found;
  const Step &at = steps[found.worst];
  const auto judged = static_cast<double>(found.judged);
  found.excess = worst * at.objects / 100;
  found.through_end = end_row > 0;
  const double share_asked = std::max(1.0, demands.share * judged);
  const double end_asked = std::max(1.0, demands.share_at_end * judged);
  const double bar_distance =
      std::max(1e-6, high ? at.bar.high - at.range.high : at.range.low - at.bar.low);
  found.margin_ratio = worst / bar_distance;
  found.share_ratio = std::max(static_cast<double>(found.count) / share_asked,
                               static_cast<double>(end_row) / end_asked);
  found.support_ratio = support / static_cast<double>(found.count) / std::max(1.0, demands.excess);
  found.clears = demands.raw || (found.share_ratio >= 1 && found.longest >= demands.consecutive);
  return found;
}

} // namespace

double normal_quantile(double p) {
  double low = -40;
  double high = 40;
  for (int i = 0; i < 100; ++i) { // to the last bit; this is not a hot path
    const double middle = (low + high) / 2;
    if (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

double tolerance_factor(size_t n, double coverage, double confidence) {
  const double covers = normal_quantile(coverage);
  const double normal = normal_quantile(0.999);
  if (n < 4) // scaled with the coverage, so that more coverage never asks for less
    return (n < 3 ? kFactorOfTwo : kFactorOfThree) * std::max(1.0, covers / normal);
  const double sure = normal_quantile(confidence);
  const auto count = static_cast<double>(n);
  const double a = 1 - sure * sure / (2 * (count - 1));
  const double b = covers * covers - sure * sure / count;
  if (a <= 0)
    return kFactorOfTwo * std::max(1.0, covers / normal);
  return (covers + std::sqrt(std::max(0.0, covers * covers - a * b))) / a;
}

Demands heap_demands(const HeapSettings &settings) {
  return {settings.by_paper(),
          settings.margin_points,
          0,
          settings.margin_coverage,
          settings.margin_confidence,
          1,
          settings.persistence,
          settings.persistence_end,
          settings.consecutive,
          static_cast<double>(settings.support),
          static_cast<double>(settings.excess)};
}

Demands phase_demands(const HeapSettings &settings) {
  Demands demands = heap_demands(settings);
  demands.raw = false; // the paper leaves locally stable metrics out
  demands.widening = 2;
  return demands;
}

Demands site_demands(const HeapSettings &settings, size_t tests) {
  Demands demands = heap_demands(settings);
  demands.raw = false; // the paper has no such metrics, so no raw rule for them
  demands.points = settings.site_margin_points;
  demands.spread = settings.site_margin_spread;
  demands.coverage =
      1 - (1 - settings.margin_coverage) / static_cast<double>(std::max<size_t>(1, tests));
  demands.objects = static_cast<double>(settings.site_support);
  demands.excess = static_cast<double>(settings.site_excess);
  return demands;
}

Spread spread_of(std::span<const Extent> extents) {
  Spread spread;
  std::vector<Extent> sorted; // sums in one order: equal sets of runs give equal bits
  for (const Extent &extent : extents)
    if (extent.count != 0)
      sorted.push_back(extent);
  std::ranges::sort(sorted, [](const Extent &a, const Extent &b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  });
  spread.runs = spread.sampled = sorted.size();
  if (sorted.empty())
    return spread;
  const auto count = static_cast<double>(sorted.size());
  spread.low = sorted.front().low;
  spread.high = sorted.front().high;
  for (const Extent &extent : sorted) {
    spread.high = std::max(spread.high, extent.high);
    spread.low_mean += extent.low / count;
    spread.high_mean += extent.high / count;
  }
  if (sorted.size() < 2)
    return spread;
  for (const Extent &extent : sorted) {
    spread.low_stddev += (extent.low - spread.low_mean) * (extent.low - spread.low_mean);
    spread.high_stddev += (extent.high - spread.high_mean) * (extent.high - spread.high_mean);
  }
  spread.low_stddev = std::sqrt(spread.low_stddev / (count - 1));
  spread.high_stddev = std::sqrt(spread.high_stddev / (count - 1));
  return spread;
}

Range bar_of(const Spread &spread, const Demands &demands) {
  if (demands.raw)
    return {spread.low, spread.high};
  const double factor = tolerance_factor(spread.sampled, demands.coverage, demands.confidence);
  // From one run nothing is known of the spread; its own width stands in.
  const double single = spread.sampled < 2 ? spread.high - spread.low : 0;
  const double low = std::min({spread.low - demands.points - single,
                               spread.low - demands.spread * spread.low_stddev,
                               spread.low_mean - factor * spread.low_stddev});
  const double high = std::max({spread.high + demands.points + single,
                                spread.high + demands.spread * spread.high_stddev,
                                spread.high_mean + factor * spread.high_stddev});
  return {spread.low - (spread.low - low) * demands.widening,
          spread.high + (high - spread.high) * demands.widening};
}

std::vector<Step> phase_steps(std::span<const LearnedPhase> phases, std::span<const double> series,
                              std::span<const double> objects, const Demands &demands) {
  // A spike takes a few steps: near the end of a phase nothing is certain.
  constexpr double kTransition = 0.03;
  std::vector<Range> bars;
  for (const LearnedPhase &phase : phases)
    bars.push_back(bar_of(phase.spread, demands));
  std::vector<Step> steps;
  for (size_t i = 0; i < series.size(); ++i) {
    const double at = (static_cast<double>(i) + 0.5) / static_cast<double>(series.size());
    Step step{series[i], i < objects.size() ? objects[i] : 0, i, {}, {}, false};
    double nearest = 0;
    for (size_t p = 0; p < phases.size(); ++p) {
      if (at < phases[p].begin - kTransition || at > phases[p].end + kTransition)
        continue;
      const double distance = std::max({bars[p].low - step.value, step.value - bars[p].high, 0.0});
      if (step.judged && distance >= nearest)
        continue;
      nearest = distance;
      step.judged = true;
      step.range = {phases[p].spread.low, phases[p].spread.high};
      step.bar = bars[p];
    }
    steps.push_back(step);
  }
  return steps;
}

bool hugs(const Extent &extent, const Spread &spread, bool high, const HeapSettings &settings) {
  const double width = spread.high - spread.low;
  const double edge = 0.05 * width;
  // In a narrow range every run is at an end of it.
  if (extent.count == 0 || width < 4 * settings.flat_points ||
      extent.high - extent.low > std::max(settings.flat_points, edge))
    return false;
  return high ? extent.low >= spread.high - edge : extent.high <= spread.low + edge;
}

Outside outside_of(std::span<const Step> steps, const Demands &demands) {
  const Outside low = one_side(steps, demands, false);
  const Outside high = one_side(steps, demands, true);
  if (low.clears != high.clears)
    return low.clears ? low : high;
  return confidence_of(low) > confidence_of(high) ? low : high;
}

double confidence_of(const Outside &outside) {
  if (!outside.any)
    return 0;
  const double g = std::cbrt(std::max(0.0, outside.margin_ratio) *
                             std::clamp(outside.share_ratio, 0.0, kRatioLimit) *
                             std::clamp(outside.support_ratio, 0.0, kRatioLimit));
  return g / (g + 1);
}

} // namespace culprit::heap
