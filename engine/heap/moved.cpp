// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See moved.h.
#include "engine/heap/moved.h"

#include <algorithm>
#include <cmath>

namespace culprit::heap {
namespace {

// A site that explains less than this of what the first explains is left out.
constexpr double kLeast = 0.05;
// More objects than usual of a site that is always like that explain a crossing, but less well than
// objects that changed.
constexpr double kMixWeight = 0.5;

bool is_degree(const Finding &finding) {
  return finding.metric != nullptr && finding.metric->kind == MetricKind::degree;
}

double share_in_class(const std::array<double, CULPRIT_CELLS> &cells, unsigned metric) {
  double share = 0;
  for (unsigned cell = 0; cell < cells.size(); ++cell)
    if (culprit_cell_in_metric(cell, metric) != 0)
      share += cells[cell];
  return share;
}

void explain(MovedSite &site, const Finding &finding, const LearnedSite *learned, double all) {
  const auto objects = static_cast<double>(total(site.cells));
  const double usual = (finding.range.low + finding.range.high) / 200; // of the whole heap
  std::array<double, CULPRIT_CELLS> excess{};
  double offending = 0;
  for (unsigned cell = 0; cell < excess.size(); ++cell) {
    const auto now = static_cast<double>(site.cells[cell]);
    if (learned != nullptr)
      excess[cell] = now - objects * learned->cells[cell];
    else // of a new site the whole heap's share is expected, whichever the cell
      excess[cell] = now * (is_degree(finding) ? (finding.high ? 1 - usual : usual) : 0.5);
    if (is_offending(finding, cell))
      offending += excess[cell];
  }
  if (!has_class(finding)) { // any change of degrees
    offending = 0;
    for (const double value : excess)
      offending += std::max(0.0, value);
  }
  site.count = std::max(0.0, offending);
  site.score = site.count;
  if (learned != nullptr && is_degree(finding)) {
    const double more = objects - learned->share * all;
    const double mine = share_in_class(learned->cells, finding.metric->degree);
    const double mix = more * (finding.high ? mine - usual : usual - mine);
    site.score += kMixWeight * std::max(0.0, mix);
  }
  // Cells with too many share what moved; those with too few inside the class lower it evenly.
  double positive = 0;
  for (unsigned cell = 0; cell < excess.size(); ++cell)
    if (is_offending(finding, cell))
      positive += std::max(0.0, excess[cell]);
  for (unsigned cell = 0; cell < excess.size(); ++cell)
    if (is_offending(finding, cell) && excess[cell] > 0 && site.cells[cell] != 0 && positive > 0)
      site.moved[cell] = std::min(1.0, excess[cell] / positive * site.count /
                                           static_cast<double>(site.cells[cell]));
}

} // namespace

bool has_class(const Finding &finding) {
  return is_degree(finding) ||
         (finding.metric != nullptr && finding.metric->kind == MetricKind::mean);
}

bool is_offending(const Finding &finding, unsigned cell) {
  if (!has_class(finding))
    return true;
  if (!is_degree(finding)) { // more, or fewer, pointers than usual
    const double pointers = 100.0 * culprit_cell_out(cell);
    const double usual = (finding.range.low + finding.range.high) / 2;
    return finding.high ? pointers > usual : pointers < usual;
  }
  return (culprit_cell_in_metric(cell, finding.metric->degree) != 0) == finding.high;
}

bool about_in(const Finding &finding) {
  if (!is_degree(finding))
    return !has_class(finding);
  return finding.metric->degree <= CULPRIT_METRIC_INDEGREE2 ||
         finding.metric->degree == CULPRIT_METRIC_IN_EQ_OUT;
}

bool about_out(const Finding &finding) {
  return !is_degree(finding) || finding.metric->degree >= CULPRIT_METRIC_LEAVES;
}

std::vector<MovedSite> moved_sites(const Finding &finding, const HeapRun &run,
                                   const HeapModel &model) {
  std::vector<MovedSite> sites;
  if (finding.worst_point >= run.points.size())
    return sites;
  SiteReplay replay(run);
  replay.to(finding.worst_point);
  const auto all = static_cast<double>(total(run.points[finding.worst_point].cells));
  for (size_t i = 0; i < run.sites.size(); ++i) {
    if (finding.of_site && run.sites[i].id != finding.site)
      continue;
    MovedSite site;
    site.position = i;
    site.id = run.sites[i].id;
    site.cells = replay.sites()[i];
    if (total(site.cells) == 0)
      continue;
    const auto learned = model.sites.find(site.id);
    site.is_new = learned == model.sites.end();
    if (!site.is_new)
      site.usually = learned->second.cells;
    explain(site, finding, site.is_new ? nullptr : &learned->second, all);
    sites.push_back(site);
  }
  std::ranges::sort(sites, [](const MovedSite &a, const MovedSite &b) {
    return a.score != b.score ? a.score > b.score : a.position < b.position;
  });
  const double least = sites.empty() ? 0 : sites.front().score * kLeast;
  std::erase_if(sites,
                [&](const MovedSite &site) { return site.score <= 0 || site.score < least; });
  return sites;
}

} // namespace culprit::heap
