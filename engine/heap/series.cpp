// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See series.h.
#include "engine/heap/series.h"

#include "engine/heap/point_record.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace culprit::heap {
namespace {

struct Gathered {
  std::vector<run::Unit> units;
  std::map<uint32_t, uint64_t> chains;
  std::vector<const run::PointContexts *> rows;
};

void gather(const run::Record &record, HeapRun &run, Gathered &found) {
  if (const auto *unit = std::get_if<run::Unit>(&record.what))
    found.units.push_back(*unit);
  else if (const auto *context = std::get_if<run::Context>(&record.what))
    found.chains[context->number] = context->chain;
  else if (const auto *point = std::get_if<run::MetricPoint>(&record.what)) {
    run.points.push_back(point_of(point->numbers));
    run.point_flags |= point->numbers.flags;
  } else if (const auto *rows = std::get_if<run::PointContexts>(&record.what))
    found.rows.push_back(rows);
  else if (const auto *verify = std::get_if<run::Verify>(&record.what))
    run.verified.push_back(*verify);
  else if (const auto *stack = std::get_if<run::Stack>(&record.what))
    run.stacks.push_back(*stack);
  else if (const auto *module = std::get_if<run::Module>(&record.what))
    run.modules.push_back(*module);
  else if (const auto *around = std::get_if<run::Neighbourhood>(&record.what))
    run.neighbourhoods.push_back(*around);
  else if (const auto *blame = std::get_if<run::Blame>(&record.what)) {
    // A point with many rows has several records.
    if (run.blame.empty() || run.blame.back().index != blame->index)
      run.blame.push_back({blame->index, {}});
    run.blame.back().rows.insert(run.blame.back().rows.end(), blame->rows.begin(),
                                 blame->rows.end());
  }
}

// Threads may finish their records in another order than they took the points.
Result<void> order_points(std::vector<Point> &points) {
  std::ranges::sort(points, {}, &Point::index);
  for (size_t i = 1; i < points.size(); ++i) {
    if (points[i].index == points[i - 1].index)
      return fail(fmt::format("metric point {} is there twice", points[i].index),
                  "the run file is damaged; run the target again to make a new one");
    points[i].work = std::max(points[i].work, points[i - 1].work);
  }
  return {};
}

void add_context(HeapRun &run, uint32_t number, uint64_t chain) {
  Context context{0, run.numbers.chain(chain)};
  const Site *site = allocation_site(context.chain);
  const uint64_t id = site == nullptr ? 0 : site->id;
  auto known = std::ranges::lower_bound(run.sites, id, {}, &AllocationSite::id);
  if (known == run.sites.end() || known->id != id)
    run.sites.insert(known, AllocationSite{id, site});
  run.contexts.insert_or_assign(number, std::move(context));
}

void add_changes(HeapRun &run, const std::vector<const run::PointContexts *> &rows) {
  std::map<size_t, std::vector<ContextChange>> by_point; // of one point in the order of the file
  for (const run::PointContexts *record : rows) {
    const auto point = std::ranges::lower_bound(run.points, record->index, {}, &Point::index);
    if (point == run.points.end())
      continue; // the target died between the two records of a point
    for (const culprit_context_cells &row : record->rows) {
      if (!run.contexts.contains(row.context))
        add_context(run, row.context, 0);
      ContextChange change{static_cast<size_t>(point - run.points.begin()), row.context, {}};
      std::ranges::copy(row.cells, change.cells.begin());
      by_point[change.point].push_back(change);
    }
  }
  for (const auto &[point, changes] : by_point)
    run.changes.insert(run.changes.end(), changes.begin(), changes.end());
}

} // namespace

Point point_of(const culprit_record_point &raw) {
  Point point{
      raw.index, raw.work, raw.entries, raw.allocated_bytes, raw.live_objects, raw.live_bytes,
      raw.edges, {},       {}};
  std::ranges::copy(raw.cells, point.cells.begin());
  if ((raw.flags & CULPRIT_POINT_COMPONENTS) != 0)
    point.components = Components{raw.components, raw.largest_component, raw.strong_components,
                                  raw.largest_strong_component};
  return point;
}

uint64_t total(const Cells &cells) {
  return std::accumulate(cells.begin(), cells.end(), uint64_t{0});
}

uint64_t in_metric(const Cells &cells, unsigned degree_metric) {
  uint64_t count = 0;
  for (unsigned cell = 0; cell < cells.size(); ++cell)
    if (culprit_cell_in_metric(cell, degree_metric) != 0)
      count += cells[cell];
  return count;
}

Result<HeapRun> heap_run(const run::RunFile &file, SharedSites tables) {
  HeapRun run;
  Gathered found;
  run.tables = tables ? std::move(tables) : std::make_shared<const SiteTables>();
  for (const run::Record &record : file.records)
    gather(record, run, found);
  if (auto ordered = order_points(run.points); !ordered)
    return std::unexpected(ordered.error());
  run.numbers = SiteNumbers(*run.tables, found.units);
  for (const auto &[number, chain] : found.chains)
    add_context(run, number, chain);
  add_changes(run, found.rows);
  // Positions are final once all sites are there.
  for (auto &[number, context] : run.contexts) {
    const Site *site = allocation_site(context.chain);
    const auto known = std::ranges::lower_bound(run.sites, site == nullptr ? 0 : site->id, {},
                                                &AllocationSite::id);
    context.site = static_cast<size_t>(known - run.sites.begin());
  }
  return run;
}

SiteReplay::SiteReplay(const HeapRun &run) : run_(run), sites_(run.sites.size()) {}

void SiteReplay::to(size_t point) {
  for (; next_ < run_.changes.size() && run_.changes[next_].point <= point; ++next_) {
    const ContextChange &change = run_.changes[next_];
    const auto context = run_.contexts.find(change.context);
    if (context == run_.contexts.end() || context->second.site >= sites_.size())
      continue;
    Cells &now = contexts_[change.context];
    Cells &site = sites_[context->second.site];
    for (size_t cell = 0; cell < now.size(); ++cell)
      site[cell] += change.cells[cell] - now[cell]; // modulo 2^64, so a fall is right too
    now = change.cells;
  }
}

} // namespace culprit::heap
