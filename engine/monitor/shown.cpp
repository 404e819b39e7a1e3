// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See shown.h.
#include "engine/monitor/shown.h"

#include <algorithm>
#include <set>

namespace culprit::monitor {
namespace {

constexpr double kStillThere = 0.5; // of the objects

// The finding's metric, point by point and never backwards.
class Watched {
public:
  Watched(const heap::Finding &finding, const heap::HeapRun &run)
      : finding_(finding), run_(run), replay_(run) {
    while (site_ < run.sites.size() && (!finding.of_site || run.sites[site_].id != finding.site))
      ++site_;
  }

  // Its value at this point if that shows the finding.
  std::optional<double> at(size_t position) {
    const heap::Point &point = run_.points[position];
    uint64_t objects = heap::total(point.cells);
    if (finding_.of_site) {
      if (site_ == run_.sites.size())
        return std::nullopt;
      replay_.to(position);
      const heap::Cells &cells = replay_.sites()[site_];
      objects = heap::total(cells);
      value_.reset();
      if (objects != 0)
        value_ = heap::site_value(cells, *finding_.metric);
    } else if (const auto value = finding_.metric->value(point)) {
      value_ = value; // some are not taken at every point
    }
    if (!value_ ||
        static_cast<double>(objects) < kStillThere * static_cast<double>(finding_.objects) ||
        (finding_.high ? *value_ <= finding_.bar.high : *value_ >= finding_.bar.low))
      return std::nullopt;
    return value_;
  }

private:
  const heap::Finding &finding_;
  const heap::HeapRun &run_;
  heap::SiteReplay replay_;
  size_t site_ = 0;
  std::optional<double> value_;
};

std::set<uint32_t> points_that_show(const heap::Finding &finding, const heap::HeapRun &run) {
  std::set<uint32_t> points;
  Watched watched(finding, run);
  for (size_t i = 0; i < run.points.size(); ++i)
    if (watched.at(i))
      points.insert(run.points[i].index);
  return points;
}

} // namespace

std::optional<heap::Finding> shown_again(const heap::Finding &finding, const heap::HeapRun &again) {
  auto point = std::ranges::find(again.points, finding.worst_index, &heap::Point::index);
  // One that is over a few points earlier says who wrote what at its end.
  if (point == again.points.end() && !again.points.empty() &&
      again.points.back().index < finding.worst_index)
    --point;
  if (finding.metric == nullptr || point == again.points.end())
    return std::nullopt;
  heap::Finding shown = finding;
  shown.worst_index = point->index;
  shown.worst_point = static_cast<size_t>(point - again.points.begin());
  Watched watched(finding, again);
  std::optional<double> value;
  for (size_t i = 0; i <= shown.worst_point; ++i)
    value = watched.at(i);
  if (!value)
    return std::nullopt;
  shown.value = *value;
  return shown;
}

std::optional<uint32_t> surest_point(const heap::Finding &finding, const heap::HeapRun &run,
                                     const heap::HeapRun &again) {
  if (finding.metric == nullptr)
    return std::nullopt;
  const std::set<uint32_t> here = points_that_show(finding, run);
  const std::set<uint32_t> there = points_that_show(finding, again);
  uint32_t best = 0;
  uint32_t longest = 0;
  uint32_t length = 0;
  uint32_t last = 0; // numbers start at 1
  for (const uint32_t point : here) {
    if (!there.contains(point))
      continue;
    length = point == last + 1 ? length + 1 : 1;
    last = point;
    if (length > longest) {
      longest = length;
      best = point - (length - 1) / 2;
    }
  }
  return longest == 0 ? std::nullopt : std::optional(best);
}

} // namespace culprit::monitor
