// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How contents and rows become one another; see model.h.
#include "engine/model/model.h"

#include "engine/model/access_part.h"
#include "engine/model/database.h"
#include "engine/model/folder_lock.h"
#include "engine/model/site_row.h"

#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <tuple>
#include <unistd.h>

namespace culprit::model {
namespace {

constexpr size_t kMaxRuns = 1'000'000;
constexpr size_t kMaxText = 1 << 20;
constexpr size_t kMaxMetrics = 64; // of one run: a newer culprit may know more than this one
constexpr int kMaxMoves = 100;     // of a file that others remove while it is opened
// Changes whenever another connection commits, never by our own commits.
constexpr const char *kWhatOthersWrote = "PRAGMA data_version";

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
  for (const heap::SiteSummary &site : run.sites) {
    const std::string id = heap::id_text(site.site);
    const std::string bytes = site_bytes(site);
    if (auto done = change(database, path, "INSERT INTO run_sites VALUES(?, ?, ?)",
                           {key, id, Bytes{bytes}});
        !done)
      return done;
  }
  for (const heap::SiteWriters &site : run.writers) {
    const std::string id = heap::id_text(site.site);
    const std::string bytes = writers_bytes(site);
    if (auto done = change(database, path, "INSERT INTO run_writers VALUES(?, ?, ?)",
                           {key, id, Bytes{bytes}});
        !done)
      return done;
  }
  return {};
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

Result<void> insert_site(sqlite3 *database, const std::filesystem::path &path, uint64_t id,
                         const KnownSite &site) {
  const std::string text = heap::id_text(id);
  return change(
      database, path, "INSERT OR REPLACE INTO sites VALUES(?, ?, ?, ?, ?, ?)",
      {text, site.function, site.file, int64_t{site.line}, site.type, site_sum(id, site)});
}

// Numbers a reader would refuse are refused here, too: no model that cannot be read again.
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
    if (auto done = change(database, path, "INSERT OR REPLACE INTO builds VALUES(?, ?, ?)",
                           {id, build, build_sum(id, build)});
        !done)
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

// Of two descriptions of one thing the greater, as merging does.
template <typename T>
void describe(std::map<uint64_t, T> &added, const std::map<uint64_t, T> &known) {
  for (auto &[id, value] : added)
    if (const auto found = known.find(id); found != known.end() && value < found->second)
      value = found->second;
}

// What `changes` does is one transaction: all of it or nothing.
Result<void> transaction(sqlite3 *database, const std::filesystem::path &path,
                         const std::function<Result<void>()> &changes) {
  if (auto begun = execute(database, path, "BEGIN IMMEDIATE"); !begun)
    return begun;
  if (auto done = changes(); !done) {
    std::ignore = execute(database, path, "ROLLBACK"); // the first error is the one to tell
    return done;
  }
  return execute(database, path, "COMMIT");
}

// By who has the folder's lock.
Result<Contents> read_locked(const std::filesystem::path &path) {
  auto database = open_database(path, Access::read);
  if (!database)
    return std::unexpected(database.error());
  // One transaction, so that a writer between two of our statements changes nothing for us.
  if (auto begun = execute(database->get(), path, "BEGIN"); !begun)
    return std::unexpected(begun.error());
  AccessNumbers numbers;
  return read_contents(database->get(), path, numbers);
}

} // namespace

Result<Contents> read(const std::filesystem::path &path) {
  const auto lock = FolderLock::of_file(path);
  if (!lock)
    return std::unexpected(lock.error());
  return read_locked(path);
}

Result<std::optional<Contents>> read_if_any(const std::filesystem::path &path) {
  const auto lock = FolderLock::of_file(path);
  if (!lock)
    return std::unexpected(lock.error());
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(path, error);
  if (!std::filesystem::exists(path, error) ||
      (is_file && std::filesystem::file_size(path, error) == 0))
    return std::nullopt;
  return read_locked(path);
}

Result<void> write(const std::filesystem::path &path, const Contents &contents) {
  if (auto writable = check_writable(path); !writable)
    return writable;
  std::filesystem::path beside = path;
  beside += fmt::format(".{}.tmp", ::getpid());
  std::error_code error;
  const auto remove_beside = [&] {
    std::filesystem::remove(beside, error);
    std::filesystem::remove(beside.string() + "-journal", error);
  };
  remove_beside();
  const auto made = [&]() -> Result<void> {
    auto database = open_database(beside, Access::create);
    if (!database)
      return std::unexpected(database.error());
    return transaction(database->get(), beside, [&]() -> Result<void> {
      AccessNumbers numbers;
      return insert_contents(database->get(), beside, contents, numbers);
    });
  }();
  if (!made) {
    remove_beside();
    return made;
  }
  const auto lock = FolderLock::of_file(path);
  if (lock)
    std::filesystem::rename(beside, path, error);
  if (lock && !error)
    return {};
  const std::string why = error.message();
  remove_beside();
  return lock ? fail(fmt::format("{}: {}", path.string(), why)) : std::unexpected(lock.error());
}

void Writer::Close::operator()(sqlite3 *database) const { CloseDatabase{}(database); }

Writer::Writer() : numbers_(std::make_unique<AccessNumbers>()) {}
Writer::Writer(Writer &&) noexcept = default;
Writer &Writer::operator=(Writer &&) noexcept = default;
Writer::~Writer() = default;

Result<Writer> Writer::open(const std::filesystem::path &path) {
  const auto lock = FolderLock::of_file(path);
  if (!lock)
    return std::unexpected(lock.error());
  return open_locked(path);
}

Result<Writer> Writer::open_locked(const std::filesystem::path &path) {
  for (int attempt = 1;; ++attempt) {
    auto writer = open_once(path);
    if (!writer || !has_moved(writer->database_.get()))
      return writer;
    if (attempt == kMaxMoves)
      return fail(fmt::format("{}: removed again and again by somebody else", path.string()),
                  "let nobody else make this file, or name another with -m");
  }
}

Result<Writer> Writer::open_once(const std::filesystem::path &path) {
  auto database = open_database(path, Access::create);
  if (!database)
    return std::unexpected(database.error());
  Writer writer;
  // One transaction, as in read().
  if (auto begun = execute(database->get(), path, "BEGIN"); !begun)
    return std::unexpected(begun.error());
  const auto seen = number_of(database->get(), path, kWhatOthersWrote);
  if (!seen)
    return std::unexpected(seen.error());
  auto contents = read_contents(database->get(), path, *writer.numbers_);
  if (!contents)
    return std::unexpected(contents.error());
  if (auto done = execute(database->get(), path, "COMMIT"); !done)
    return std::unexpected(done.error());
  writer.database_.reset(database->release());
  writer.path_ = path;
  writer.contents_ = std::move(*contents);
  writer.seen_ = *seen;
  return writer;
}

// The file at the path is another one: goes on with that, and adds what was in the old.
Result<void> Writer::follow() {
  auto other = open_locked(path_);
  if (!other)
    return std::unexpected(other.error());
  Contents merged;
  if (auto added = other->change_locked([&] {
        merged = merge(contents_, other->contents_);
        return insert_contents(other->database_.get(), path_, merged, *other->numbers_);
      });
      !added)
    return added;
  *this = std::move(*other);
  contents_ = std::move(merged);
  return {};
}

// Begins a transaction in the file that is at the path, with contents_ as the file has them. While
// it lasts, nobody removes that file by remove_if().
Result<void> Writer::begin() {
  for (int attempt = 1; has_moved(database_.get()) && attempt < kMaxMoves; ++attempt)
    if (auto followed = follow(); !followed)
      return followed;
  if (auto begun = execute(database_.get(), path_, "BEGIN IMMEDIATE"); !begun)
    return begun;
  const auto read_again = [&]() -> Result<void> {
    const auto seen = number_of(database_.get(), path_, kWhatOthersWrote);
    if (!seen)
      return std::unexpected(seen.error());
    if (*seen == seen_)
      return {};
    AccessNumbers numbers;
    auto contents = read_contents(database_.get(), path_, numbers);
    if (!contents)
      return std::unexpected(contents.error());
    contents_ = std::move(*contents);
    *numbers_ = std::move(numbers);
    seen_ = *seen;
    return {};
  };
  auto done = read_again();
  if (!done)
    std::ignore = execute(database_.get(), path_, "ROLLBACK"); // the first error is the one to tell
  return done;
}

Result<void> Writer::change_file(const std::function<Result<void>()> &changes) {
  const auto lock = FolderLock::of_file(path_);
  if (!lock)
    return std::unexpected(lock.error());
  return change_locked(changes);
}

// As transaction(), in what the file holds now.
Result<void> Writer::change_locked(const std::function<Result<void>()> &changes) {
  if (auto begun = begin(); !begun)
    return begun;
  if (auto done = changes(); !done) {
    std::ignore = execute(database_.get(), path_, "ROLLBACK");
    return done;
  }
  return execute(database_.get(), path_, "COMMIT");
}

Result<void> Writer::refresh() {
  return change_file([]() -> Result<void> { return {}; });
}

Result<void> Writer::remove_if(const std::function<bool(const Contents &)> &is_useless) {
  return change_file([&]() -> Result<void> {
    std::error_code error;
    if (is_useless(contents_))
      std::filesystem::remove(path_, error);
    return {};
  });
}

Result<void> Writer::add_program(const std::string &build_id, const std::string &path,
                                 const heap::SiteTables &tables,
                                 const access::AccessTables *accesses) {
  Contents added;
  added.builds[build_id] = path;
  if (accesses != nullptr)
    access::add_program(added.access, *accesses);
  for (const auto &[unit, sites] : tables)
    for (const heap::Site &site : sites)
      if (site.kind == heap::SiteKind::call || site.kind == heap::SiteKind::alloc) {
        const KnownSite known{site.function, site.file, site.line, site.type};
        auto [entry, is_new] = added.sites.try_emplace(site.id, known);
        if (!is_new)
          entry->second = std::max(entry->second, known);
      }
  Contents merged;
  auto done = change_file([&]() -> Result<void> {
    merged = merge(contents_, added);
    if (auto built = change(database_.get(), path_, "INSERT OR REPLACE INTO builds VALUES(?, ?, ?)",
                            {build_id, merged.builds.at(build_id),
                             build_sum(build_id, merged.builds.at(build_id))});
        !built)
      return built;
    for (const auto &[id, site] : added.sites)
      if (auto inserted = insert_site(database_.get(), path_, id, merged.sites.at(id)); !inserted)
        return inserted;
    return insert_access_program(database_.get(), path_, merged.access.program);
  });
  if (!done)
    return done;
  contents_ = std::move(merged);
  return {};
}

Result<void> Writer::add_run(const heap::RunSummary &run) { return add_run(&run, nullptr); }

Result<void> Writer::add_run(const heap::RunSummary *heap, const access::Summary *access) {
  if (heap != nullptr)
    if (auto checked = check_run(*heap); !checked)
      return checked;
  const std::string key = heap == nullptr ? std::string() : content_key(*heap);
  AccessNumbers numbers;
  auto done = change_file([&]() -> Result<void> {
    access::History added; // only what this run says, as described after it
    numbers = *numbers_;
    if (access != nullptr)
      access::add_run(added, *access);
    describe(added.sites, contents_.access.sites);
    describe(added.names, contents_.access.names);
    if (heap != nullptr)
      if (auto inserted = insert_run(database_.get(), path_, key, *heap); !inserted)
        return inserted;
    return insert_new(added, numbers);
  });
  if (!done)
    return done;
  if (heap != nullptr)
    contents_.runs.insert_or_assign(key, *heap);
  *numbers_ = std::move(numbers);
  if (access != nullptr)
    access::add_run(contents_.access, *access);
  return {};
}

Result<void> Writer::accept(const access::Acceptance &pairs) {
  access::History added;
  added.accepted = pairs.pairs;
  added.sites = pairs.sites;
  added.names = pairs.names;
  AccessNumbers numbers;
  auto done = change_file([&] {
    numbers = *numbers_;
    describe(added.sites, contents_.access.sites);
    describe(added.names, contents_.access.names);
    return insert_new(added, numbers);
  });
  if (!done)
    return done;
  *numbers_ = std::move(numbers);
  contents_.access = access::merge(contents_.access, added);
  return {};
}

Result<void> Writer::insert_new(const access::History &added, AccessNumbers &numbers) {
  // What the file already says is not written again.
  std::map<uint64_t, access::AccessSite> sites;
  for (const auto &[id, site] : added.sites)
    if (const auto known = contents_.access.sites.find(id);
        known == contents_.access.sites.end() || known->second != site)
      sites.emplace(id, site);
  std::map<uint64_t, access::Name> names;
  for (const auto &[key, name] : added.names)
    if (const auto known = contents_.access.names.find(key);
        known == contents_.access.names.end() || known->second != name)
      names.emplace(key, name);
  if (auto done = insert_access_facts(database_.get(), path_, sites, names, numbers); !done)
    return done;
  for (const auto &[key, run] : added.runs)
    if (auto done = insert_access_run(database_.get(), path_, key, run, numbers); !done)
      return done;
  return insert_accepted(database_.get(), path_, added.accepted);
}

} // namespace culprit::model
