// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/model/content_part.h"

#include "engine/model/database.h"
#include "engine/model/site_row.h"

#include <fmt/format.h>

namespace culprit::model {
namespace {

constexpr size_t kMaxRuns = 1'000'000;
constexpr size_t kMaxText = 1 << 20;
constexpr size_t kMaxMetrics = 64; // of one run: a newer culprit may know more than this one

int64_t build_sum(std::string_view id, std::string_view path) {
  return sum_of(fmt::format("{} {}", id, path));
}

int64_t site_sum(uint64_t id, const KnownSite &site) {
  return sum_of(fmt::format("{} {} {} {} {} {}", id, site.function.size(), site.function, site.file,
                            site.line, site.type));
}

bool is_short_text(const Row &row, int column) {
  return row.is_text(column) && row.text(column).size() <= kMaxText;
}

// Series in the order of metrics(), those of a newer culprit left out.
void order_series(heap::RunSummary &run) {
  std::vector<heap::MetricSeries> ordered;
  for (const heap::Metric &metric : heap::metrics())
    for (heap::MetricSeries &series : run.series)
      if (series.metric == metric.name)
        ordered.push_back(std::move(series));
  run.series = std::move(ordered);
}

Result<void> read_program(sqlite3 *database, const std::filesystem::path &path,
                          Contents &contents) {
  auto read = query(database, path, "SELECT build_id, path, sum FROM builds",
                    [&](const Row &row) -> Result<void> {
                      if (!is_short_text(row, 0) || !is_short_text(row, 1) ||
                          row.number(2) != build_sum(row.text(0), row.text(1)))
                        return damaged_model(path, "a build is not readable");
                      contents.builds.emplace(row.text(0), row.text(1));
                      return {};
                    });
  if (!read)
    return read;
  return query(database, path, "SELECT id, function, file, line, type, sum FROM sites",
               [&](const Row &row) -> Result<void> {
                 const auto id = row.is_text(0) ? heap::id_of(row.text(0)) : std::nullopt;
                 if (!id || !is_short_text(row, 1) || !is_short_text(row, 2) || !row.is_number(3) ||
                     row.number(3) < 0 || row.number(3) > UINT32_MAX || !is_short_text(row, 4) ||
                     contents.sites.size() >= kMaxSites)
                   return damaged_model(path, "a site is not readable");
                 KnownSite site{std::string(row.text(1)), std::string(row.text(2)),
                                static_cast<unsigned>(row.number(3)), std::string(row.text(4))};
                 if (row.number(5) != site_sum(*id, site))
                   return damaged_model(path, "a site is not readable");
                 contents.sites[*id] = std::move(site);
                 return {};
               });
}

Result<void> read_runs(sqlite3 *database, const std::filesystem::path &path, Contents &contents,
                       std::map<std::string, int64_t> &sums) {
  auto read =
      query(database, path, "SELECT key, arguments, input, status, build_id, points, sum FROM runs",
            [&](const Row &row) -> Result<void> {
              bool good = contents.runs.size() < kMaxRuns && row.is_number(5) &&
                          row.number(5) >= 0 && row.number(5) <= UINT32_MAX;
              for (int column = 0; column < 5; ++column)
                good = good && is_short_text(row, column);
              if (!good)
                return damaged_model(path, "a run is not readable");
              heap::RunSummary &run = contents.runs[std::string(row.text(0))];
              run.arguments = row.text(1);
              run.input = row.text(2);
              run.status = row.text(3);
              run.build_id = row.text(4);
              run.points = static_cast<uint32_t>(row.number(5));
              sums[std::string(row.text(0))] = row.number(6);
              return {};
            });
  if (!read)
    return read;
  const auto run_of = [&](const Row &row) -> heap::RunSummary * {
    const auto run =
        row.is_text(0) ? contents.runs.find(std::string(row.text(0))) : contents.runs.end();
    return run == contents.runs.end() ? nullptr : &run->second;
  };
  read = query(database, path, "SELECT run, metric, steps FROM series",
               [&](const Row &row) -> Result<void> {
                 heap::RunSummary *run = run_of(row);
                 auto values = row.is_bytes(2) ? series_from(row.text(2)) : std::nullopt;
                 if (run == nullptr || !is_short_text(row, 1) || !values ||
                     run->series.size() >= kMaxMetrics ||
                     (!run->series.empty() && run->series.front().values.size() != values->size()))
                   return damaged_model(path, "a series of a run is not readable");
                 run->series.push_back({std::string(row.text(1)), std::move(*values)});
                 return {};
               });
  if (!read)
    return read;
  read = query(database, path, "SELECT run, site, summary FROM run_sites ORDER BY run, site",
               [&](const Row &row) -> Result<void> {
                 heap::RunSummary *run = run_of(row);
                 const auto id = row.is_text(1) ? heap::id_of(row.text(1)) : std::nullopt;
                 auto site = id && row.is_bytes(2) ? site_from(*id, row.text(2)) : std::nullopt;
                 if (run == nullptr || !site || run->sites.size() >= kMaxSites)
                   return damaged_model(path, "an allocation site of a run is not readable");
                 run->sites.push_back(*site);
                 return {};
               });
  if (!read)
    return read;
  return query(database, path, "SELECT run, site, writers FROM run_writers ORDER BY run, site",
               [&](const Row &row) -> Result<void> {
                 heap::RunSummary *run = run_of(row);
                 const auto id = row.is_text(1) ? heap::id_of(row.text(1)) : std::nullopt;
                 auto site = id && row.is_bytes(2) ? writers_from(*id, row.text(2)) : std::nullopt;
                 if (run == nullptr || !site || run->writers.size() >= kMaxSites)
                   return damaged_model(path, "the writers of a run are not readable");
                 run->writers.push_back(std::move(*site));
                 return {};
               });
}

Result<void> insert_access(sqlite3 *database, const std::filesystem::path &path,
                           const access::History &history, AccessNumbers &numbers) {
  if (auto done = insert_access_facts(database, path, history.sites, history.names, numbers); !done)
    return done;
  for (const auto &[key, run] : history.runs)
    if (auto done = insert_access_run(database, path, key, run, numbers); !done)
      return done;
  if (auto done = insert_accepted(database, path, history.accepted); !done)
    return done;
  return insert_access_program(database, path, history.program);
}

} // namespace

Result<Contents> read_contents(sqlite3 *database, const std::filesystem::path &path,
                               AccessNumbers &numbers) {
  Contents contents;
  if (auto read = read_program(database, path, contents); !read)
    return std::unexpected(read.error());
  if (auto read = read_access(database, path, contents.access, numbers); !read)
    return std::unexpected(read.error());
  std::map<std::string, int64_t> sums;
  if (auto read = read_runs(database, path, contents, sums); !read)
    return std::unexpected(read.error());
  for (auto &[key, run] : contents.runs) {
    if (sum_of(run_text(run)) != sums[key])
      return damaged_model(path, fmt::format("run {} does not match its sum", key));
    order_series(run);
    // The key says what the run is: a run under another's key would be lost in a merge.
    if (run.series.size() == heap::metrics().size() && content_key(run) != key)
      return damaged_model(path, fmt::format("run {} does not match its key", key));
  }
  return contents;
}

Result<void> insert_build(sqlite3 *database, const std::filesystem::path &path,
                          const std::string &id, const std::string &executable) {
  return change(database, path, "INSERT OR REPLACE INTO builds VALUES(?, ?, ?)",
                {id, executable, build_sum(id, executable)});
}

Result<void> insert_site(sqlite3 *database, const std::filesystem::path &path, uint64_t id,
                         const KnownSite &site) {
  const std::string text = heap::id_text(id);
  return change(
      database, path, "INSERT OR REPLACE INTO sites VALUES(?, ?, ?, ?, ?, ?)",
      {text, site.function, site.file, int64_t{site.line}, site.type, site_sum(id, site)});
}

Result<void> insert_run(sqlite3 *database, const std::filesystem::path &path,
                        const std::string &key, const heap::RunSummary &run) {
  for (const char *sql :
       {"DELETE FROM series WHERE run = ?", "DELETE FROM run_sites WHERE run = ?",
        "DELETE FROM run_writers WHERE run = ?", "DELETE FROM runs WHERE key = ?"})
    if (auto done = change(database, path, sql, {key}); !done)
      return done;
  if (auto done = change(database, path, "INSERT INTO runs VALUES(?, ?, ?, ?, ?, ?, ?)",
                         {key, run.arguments, run.input, run.status, run.build_id,
                          int64_t{run.points}, sum_of(run_text(run))});
      !done)
    return done;
  for (const heap::MetricSeries &series : run.series)
    if (auto done = change(database, path, "INSERT INTO series VALUES(?, ?, ?)",
                           {key, series.metric,
                            Bytes{{reinterpret_cast<const char *>(series.values.data()),
                                   series.values.size() * sizeof(float)}}});
        !done)
      return done;
  const auto insert = [&](const char *sql, uint64_t site, const std::string &bytes) {
    const std::string id = heap::id_text(site);
    return change(database, path, sql, {key, id, Bytes{bytes}});
  };
  for (const heap::SiteSummary &site : run.sites)
    if (auto done = insert("INSERT INTO run_sites VALUES(?, ?, ?)", site.site, site_bytes(site));
        !done)
      return done;
  for (const heap::SiteWriters &site : run.writers)
    if (auto done =
            insert("INSERT INTO run_writers VALUES(?, ?, ?)", site.site, writers_bytes(site));
        !done)
      return done;
  return {};
}

Result<void> check_run(const heap::RunSummary &run) {
  for (const heap::MetricSeries &series : run.series)
    if (!series_from(series_bytes(series.values)))
      return fail(fmt::format("the metric {} has values that cannot be", series.metric));
  for (const heap::SiteSummary &site : run.sites)
    if (!site_from(site.site, site_bytes(site)))
      return fail(
          fmt::format("allocation site {} has values that cannot be", heap::id_text(site.site)));
  for (const heap::SiteWriters &site : run.writers)
    if (!writers_from(site.site, writers_bytes(site)))
      return fail(fmt::format("the writers of allocation site {} have values that cannot be",
                              heap::id_text(site.site)));
  return {};
}

Result<void> insert_contents(sqlite3 *database, const std::filesystem::path &path,
                             const Contents &contents, AccessNumbers &numbers) {
  for (const auto &[id, build] : contents.builds)
    if (auto done = insert_build(database, path, id, build); !done)
      return done;
  for (const auto &[id, site] : contents.sites)
    if (auto done = insert_site(database, path, id, site); !done)
      return done;
  for (const auto &[key, run] : contents.runs) {
    if (auto checked = check_run(run); !checked)
      return checked;
    if (auto done = insert_run(database, path, key, run); !done)
      return done;
  }
  return insert_access(database, path, contents.access, numbers);
}

} // namespace culprit::model
