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
constexpr double kDiffers = 0.1; // share of the objects whose degree is not the usual one
constexpr double kMostly = 0.5;

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

// Shares `count` moved objects among the offending cells with too many, by how many too many; those
// with too few lower it evenly.
void share_out(MovedSite &site, const Finding &finding,
               const std::array<double, CULPRIT_CELLS> &excess) {
  double positive = 0;
  for (unsigned cell = 0; cell < excess.size(); ++cell)
    if (is_offending(finding, cell))
      positive += std::max(0.0, excess[cell]);
  for (unsigned cell = 0; cell < excess.size(); ++cell)
    if (is_offending(finding, cell) && excess[cell] > 0 && site.cells[cell] != 0 && positive > 0)
      site.moved[cell] = std::min(1.0, excess[cell] / positive * site.count /
                                           static_cast<double>(site.cells[cell]));
}

double sum_offending(const Finding &finding, const std::array<double, CULPRIT_CELLS> &excess) {
  double sum = 0;
  for (unsigned cell = 0; cell < excess.size(); ++cell)
    if (!has_class(finding)) // any change of degrees
      sum += std::max(0.0, excess[cell]);
    else if (is_offending(finding, cell))
      sum += excess[cell];
  return std::max(0.0, sum);
}

void explain(MovedSite &site, const Finding &finding, const LearnedSite *learned, double all) {
  const auto objects = static_cast<double>(total(site.cells));
  const double usual = (finding.range.low + finding.range.high) / 200; // of the whole heap
  std::array<double, CULPRIT_CELLS> excess{};
  for (unsigned cell = 0; cell < excess.size(); ++cell) {
    const auto now = static_cast<double>(site.cells[cell]);
    if (learned != nullptr)
      excess[cell] = now - objects * learned->cells[cell];
    else // of a new site the whole heap's share is expected, whichever the cell
      excess[cell] = now * (is_degree(finding) ? (finding.high ? 1 - usual : usual) : 0.5);
  }
  site.count = sum_offending(finding, excess);
  site.score = site.count;
  if (learned != nullptr && is_degree(finding)) {
    const double more = objects - learned->share * all;
    const double mine = share_in_class(learned->cells, finding.metric->degree);
    const double mix = kMixWeight * more * (finding.high ? mine - usual : usual - mine);
    site.score += std::max(0.0, mix);
    site.by_number = more > 0 && mix > site.count;
    if (site.by_number) {
      for (unsigned cell = 0; cell < excess.size(); ++cell)
        excess[cell] += more * learned->cells[cell];
      site.count = sum_offending(finding, excess);
    }
  }
  share_out(site, finding, excess);
}

// Half the sum of differences between two distributions of degrees.
template <size_t kDegrees>
double difference(const std::array<double, kDegrees> &a, const std::array<double, kDegrees> &b) {
  double sum = 0;
  for (size_t i = 0; i < kDegrees; ++i)
    sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

} // namespace

bool has_class(const Finding &finding) {
  return is_degree(finding) ||
         (finding.metric != nullptr && finding.metric->kind == MetricKind::mean);
}

bool is_offending(const Finding &finding, unsigned cell) {
  if (!has_class(finding))
    return true;
  if (!is_degree(finding)) // more, or fewer, pointers than they had
    return finding.high ? culprit_cell_out(cell) > finding.lost_degree
                        : culprit_cell_out(cell) < finding.lost_degree;
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

Ends ends_of(const Finding &finding, const MovedSite &site) {
  const Ends of_metric{about_in(finding), about_out(finding),
                       is_degree(finding) && finding.metric->degree == CULPRIT_METRIC_ROOTS};
  if (!site.by_number || site.count <= 0)
    return of_metric;
  std::array<double, CULPRIT_CELL_IN + 1> in{};
  std::array<double, CULPRIT_CELL_IN + 1> usually_in{};
  std::array<double, CULPRIT_CELL_OUT + 1> out{};
  std::array<double, CULPRIT_CELL_OUT + 1> usually_out{};
  for (unsigned cell = 0; cell < CULPRIT_CELLS; ++cell) {
    const double now = site.moved[cell] * static_cast<double>(site.cells[cell]) / site.count;
    in[culprit_cell_in(cell)] += now;
    out[culprit_cell_out(cell)] += now;
    usually_in[culprit_cell_in(cell)] += site.usually[cell];
    usually_out[culprit_cell_out(cell)] += site.usually[cell];
  }
  const double by_in = difference(in, usually_in);
  const double by_out = difference(out, usually_out);
  const double most = std::max(by_in, by_out);
  if (most < kDiffers) // they are as ever: all that was done to them may tell
    return {true, true, false};
  return {by_in >= most / 2, by_out >= most / 2, in[0] >= kMostly && by_in >= most / 2};
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
