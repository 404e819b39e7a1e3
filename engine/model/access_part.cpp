// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See access_part.h.
#include "engine/model/access_part.h"

#include "engine/model/site_row.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::model {
namespace {

using std::filesystem::path;

constexpr size_t kMaxRuns = 1'000'000;
constexpr size_t kMaxFacts = 8'000'000;
constexpr size_t kMaxText = 1 << 20;
enum SiteFlag : int64_t { kRead = 1, kDirect = 2 };

// SQLite's integers have a sign; ids and keys have none.
int64_t to_column(uint64_t id) { return static_cast<int64_t>(id); }
uint64_t from_column(int64_t id) { return static_cast<uint64_t>(id); }

bool is_short_text(const Row &row, int column) {
  return row.is_text(column) && row.text(column).size() <= kMaxText;
}

bool is_between(const Row &row, int column, int64_t low, int64_t high) {
  return row.is_number(column) && row.number(column) >= low && row.number(column) <= high;
}

int64_t pair_sum(const access::PairKey &pair) {
  return sum_of(fmt::format("{} {}", pair.first, pair.second));
}

Result<void> read_sites(sqlite3 *database, const path &path, access::History &history,
                        AccessNumbers &numbers, AccessIds &ids) {
  return query(
      database, path,
      "SELECT number, id, function, file, line, position, callee, flags, sum FROM access_sites",
      [&](const Row &row) -> Result<void> {
        const bool good = is_between(row, 0, 0, UINT32_MAX) && row.is_number(1) &&
                          is_short_text(row, 2) && is_short_text(row, 3) &&
                          is_between(row, 4, 0, UINT32_MAX) && is_between(row, 5, 0, UINT32_MAX) &&
                          is_short_text(row, 6) && is_between(row, 7, 0, kRead | kDirect) &&
                          history.sites.size() < kMaxFacts;
        if (!good)
          return damaged_model(path, "an access site is not readable");
        access::AccessSite site{from_column(row.number(1)),
                                std::string(row.text(3)),
                                static_cast<unsigned>(row.number(4)),
                                static_cast<unsigned>(row.number(5)),
                                std::string(row.text(2)),
                                std::string(row.text(6)),
                                (row.number(7) & kRead) != 0,
                                (row.number(7) & kDirect) != 0};
        const uint64_t id = site.id;
        if (row.number(8) != sum_of(access_site_text(site)) ||
            !history.sites.emplace(id, std::move(site)).second)
          return damaged_model(path, "an access site is not readable");
        numbers.sites.emplace(id, from_column(row.number(0)));
        numbers.next_site = std::max(numbers.next_site, from_column(row.number(0)) + 1);
        ids.sites.emplace(from_column(row.number(0)), id);
        return {};
      });
}

Result<void> read_names(sqlite3 *database, const path &path, access::History &history,
                        AccessNumbers &numbers, AccessIds &ids) {
  return query(database, path,
               "SELECT number, kind, symbol, function, file, line, type, member, chain, internal, "
               "sum FROM access_names",
               [&](const Row &row) -> Result<void> {
                 bool good = is_between(row, 0, 0, UINT32_MAX) &&
                             is_between(row, 1, 0, access::kNameKinds - 1) &&
                             is_between(row, 5, 0, UINT32_MAX) && row.is_bytes(8) &&
                             row.text(8).size() % sizeof(uint64_t) == 0 &&
                             row.text(8).size() / sizeof(uint64_t) <= access::kMaxChain &&
                             is_between(row, 9, 0, 1) && history.names.size() < kMaxFacts;
                 for (const int column : {2, 3, 4, 6, 7})
                   good = good && is_short_text(row, column);
                 if (!good)
                   return damaged_model(path, "a name is not readable");
                 access::Name name;
                 name.kind = static_cast<access::NameKind>(row.number(1));
                 name.symbol = row.text(2);
                 name.function = row.text(3);
                 name.file = row.text(4);
                 name.line = static_cast<unsigned>(row.number(5));
                 name.type = row.text(6);
                 name.member = row.text(7);
                 name.chain.resize(row.text(8).size() / sizeof(uint64_t));
                 std::ranges::copy(row.text(8), reinterpret_cast<char *>(name.chain.data()));
                 name.internal = row.number(9) == 1;
                 const uint64_t key = access::key_of(name);
                 if (row.number(10) != sum_of(access_name_text(name)) ||
                     !history.names.emplace(key, std::move(name)).second)
                   return damaged_model(path, "a name is not readable");
                 numbers.names.emplace(key, from_column(row.number(0)));
                 numbers.next_name = std::max(numbers.next_name, from_column(row.number(0)) + 1);
                 ids.names.emplace(from_column(row.number(0)), key);
                 return {};
               });
}

Result<void> read_access_runs(sqlite3 *database, const path &path, access::History &history,
                              const AccessIds &ids) {
  return query(
      database, path,
      "SELECT key, arguments, input, status, build_id, reads, periods, bytes, pairs, sum "
      "FROM access_runs",
      [&](const Row &row) -> Result<void> {
        bool good = history.runs.size() < kMaxRuns && is_between(row, 5, 0, 1) &&
                    is_between(row, 6, 1, UINT32_MAX) && row.is_number(7) && row.is_bytes(8);
        for (int column = 0; column < 5; ++column)
          good = good && is_short_text(row, column);
        auto pairs = good ? pairs_from(row.text(8), ids) : std::nullopt;
        if (!pairs)
          return damaged_model(path, "the accesses of a run are not readable");
        const access::RunPairs run{std::string(row.text(1)),   std::string(row.text(2)),
                                   std::string(row.text(3)),   std::string(row.text(4)),
                                   row.number(5) == 1,         static_cast<uint32_t>(row.number(6)),
                                   from_column(row.number(7)), std::move(*pairs)};
        const std::string key(row.text(0));
        if (row.number(9) != sum_of(access_run_text(run)))
          return damaged_model(path,
                               fmt::format("the accesses of run {} do not match their sum", key));
        if (access::content_key(run) != key)
          return damaged_model(path,
                               fmt::format("the accesses of run {} do not match their key", key));
        history.runs.emplace(key, run);
        return {};
      });
}

Result<void> read_accepted(sqlite3 *database, const path &path, access::History &history) {
  return query(database, path, "SELECT site, name, sum FROM access_accepted",
               [&](const Row &row) -> Result<void> {
                 const access::PairKey pair{from_column(row.number(0)), from_column(row.number(1))};
                 if (!row.is_number(0) || !row.is_number(1) || row.number(2) != pair_sum(pair) ||
                     history.accepted.size() >= kMaxFacts)
                   return damaged_model(path, "an accepted access is not readable");
                 history.accepted.insert(pair);
                 return {};
               });
}

Result<void> read_program(sqlite3 *database, const path &path, access::History &history) {
  return query(database, path, "SELECT part, ids, sum FROM access_program ORDER BY part",
               [&](const Row &row) -> Result<void> {
                 auto ids = is_between(row, 0, 0, 255) && row.is_bytes(1) ? ids_from(row.text(1))
                                                                          : std::nullopt;
                 if (!ids || row.number(2) != sum_of(row.text(1)) ||
                     std::ranges::any_of(
                         *ids, [&](uint64_t id) { return id >> 56 != from_column(row.number(0)); }))
                   return damaged_model(path, "the access sites of the program are not readable");
                 history.program.insert(ids->begin(), ids->end());
                 return {};
               });
}

} // namespace

Result<void> read_access(sqlite3 *database, const path &path, access::History &history,
                         AccessNumbers &numbers) {
  AccessIds ids;
  if (auto read = read_sites(database, path, history, numbers, ids); !read)
    return read;
  if (auto read = read_names(database, path, history, numbers, ids); !read)
    return read;
  if (auto read = read_access_runs(database, path, history, ids); !read)
    return read;
  if (auto read = read_accepted(database, path, history); !read)
    return read;
  return read_program(database, path, history);
}

Result<void> insert_access_facts(sqlite3 *database, const path &path,
                                 const std::map<uint64_t, access::AccessSite> &sites,
                                 const std::map<uint64_t, access::Name> &names,
                                 AccessNumbers &numbers) {
  for (const auto &[id, site] : sites) {
    const auto [entry, is_new] = numbers.sites.emplace(id, numbers.next_site);
    numbers.next_site += is_new ? 1 : 0;
    const uint64_t number = entry->second;
    const int64_t flags = (site.read ? kRead : 0) | (site.direct ? kDirect : 0);
    if (auto done = change(
            database, path, "INSERT OR REPLACE INTO access_sites VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            {to_column(number), to_column(id), site.function, site.file, int64_t{site.line},
             int64_t{site.column}, site.callee, flags, sum_of(access_site_text(site))});
        !done)
      return done;
  }
  for (const auto &[key, name] : names) {
    const auto [entry, is_new] = numbers.names.emplace(key, numbers.next_name);
    numbers.next_name += is_new ? 1 : 0;
    const uint64_t number = entry->second;
    if (auto done =
            change(database, path,
                   "INSERT OR REPLACE INTO access_names VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   {to_column(number), static_cast<int64_t>(name.kind), name.symbol, name.function,
                    name.file, int64_t{name.line}, name.type, name.member,
                    Bytes{{reinterpret_cast<const char *>(name.chain.data()),
                           name.chain.size() * sizeof(uint64_t)}},
                    int64_t{name.internal}, sum_of(access_name_text(name))});
        !done)
      return done;
  }
  return {};
}

Result<void> insert_access_run(sqlite3 *database, const path &path, const std::string &key,
                               const access::RunPairs &run, const AccessNumbers &numbers) {
  const auto pairs = pairs_bytes(run.pairs, numbers);
  if (!pairs || !std::ranges::is_sorted(run.pairs))
    return fail("a run has accesses of sites or names that are not described");
  return change(database, path,
                "INSERT OR REPLACE INTO access_runs VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                {key, run.arguments, run.input, run.status, run.build_id, int64_t{run.reads},
                 int64_t{run.periods}, to_column(run.watched_bytes), Bytes{*pairs},
                 sum_of(access_run_text(run))});
}

Result<void> insert_accepted(sqlite3 *database, const path &path,
                             const std::set<access::PairKey> &accepted) {
  for (const access::PairKey &pair : accepted)
    if (auto done = change(database, path, "INSERT OR REPLACE INTO access_accepted VALUES(?, ?, ?)",
                           {to_column(pair.first), to_column(pair.second), pair_sum(pair)});
        !done)
      return done;
  return {};
}

Result<void> insert_access_program(sqlite3 *database, const path &path,
                                   const std::set<uint64_t> &program) {
  auto id = program.begin();
  while (id != program.end()) {
    const uint64_t part = *id >> 56;
    std::vector<uint64_t> ids;
    for (; id != program.end() && *id >> 56 == part; ++id)
      ids.push_back(*id);
    const std::string bytes = ids_bytes(ids);
    if (auto done = change(database, path, "INSERT OR REPLACE INTO access_program VALUES(?, ?, ?)",
                           {to_column(part), Bytes{bytes}, sum_of(bytes)});
        !done)
      return done;
  }
  return {};
}

} // namespace culprit::model
