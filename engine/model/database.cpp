// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See database.h.
#include "engine/model/database.h"

#include <fmt/format.h>
#include <fstream>
#include <sqlite3.h>
#include <system_error>

namespace culprit::model {
namespace {

constexpr int kMaxValue = 64 << 20; // bytes of one value
constexpr int kBusyMilliseconds = 10'000;

// What SQLite says of its pages means nothing to a user.
constexpr const char *kBadPages = "parts of the file were changed or are missing";

constexpr const char *kSchema = R"(
CREATE TABLE builds(build_id TEXT PRIMARY KEY NOT NULL, path TEXT NOT NULL,
                    sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sites(id TEXT PRIMARY KEY NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL,
                   line INTEGER NOT NULL, type TEXT NOT NULL,
                   sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE runs(key TEXT PRIMARY KEY NOT NULL, arguments TEXT NOT NULL, input TEXT NOT NULL,
                  status TEXT NOT NULL, build_id TEXT NOT NULL, points INTEGER NOT NULL,
                  sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE series(run TEXT NOT NULL, metric TEXT NOT NULL, steps BLOB NOT NULL,
                    PRIMARY KEY(run, metric)) WITHOUT ROWID;
CREATE TABLE run_sites(run TEXT NOT NULL, site TEXT NOT NULL, summary BLOB NOT NULL,
                       PRIMARY KEY(run, site)) WITHOUT ROWID;
CREATE TABLE run_writers(run TEXT NOT NULL, site TEXT NOT NULL, writers BLOB NOT NULL,
                         PRIMARY KEY(run, site)) WITHOUT ROWID;
CREATE TABLE access_sites(number INTEGER PRIMARY KEY NOT NULL, id INTEGER NOT NULL,
                          function TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,
                          position INTEGER NOT NULL, callee TEXT NOT NULL, flags INTEGER NOT NULL,
                          sum INTEGER NOT NULL);
CREATE TABLE access_names(number INTEGER PRIMARY KEY NOT NULL, kind INTEGER NOT NULL,
                          symbol TEXT NOT NULL, function TEXT NOT NULL, file TEXT NOT NULL,
                          line INTEGER NOT NULL, type TEXT NOT NULL, member TEXT NOT NULL,
                          chain BLOB NOT NULL, internal INTEGER NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE access_runs(key TEXT PRIMARY KEY NOT NULL, arguments TEXT NOT NULL,
                         input TEXT NOT NULL, status TEXT NOT NULL, build_id TEXT NOT NULL,
                         reads INTEGER NOT NULL, periods INTEGER NOT NULL, bytes INTEGER NOT NULL,
                         pairs BLOB NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE access_accepted(site INTEGER NOT NULL, name INTEGER NOT NULL, sum INTEGER NOT NULL,
                             PRIMARY KEY(site, name)) WITHOUT ROWID;
CREATE TABLE access_program(part INTEGER PRIMARY KEY NOT NULL, ids BLOB NOT NULL,
                            sum INTEGER NOT NULL);
)";

std::unexpected<Error> failed(sqlite3 *database, const std::filesystem::path &path) {
  switch (sqlite3_errcode(database) & 0xff) {
  case SQLITE_CORRUPT:
    return damaged_model(path, kBadPages);
  case SQLITE_ERROR: // a table that is not there, or is not a table
  case SQLITE_FORMAT:
    return damaged_model(path, "its tables are not a model's");
  case SQLITE_TOOBIG:
    return damaged_model(path, "a value is too long");
  case SQLITE_NOTADB:
    return fail(fmt::format("{}: not a model", path.string()),
                "name the right file, or train a new model with `culprit train`");
  case SQLITE_BUSY:
    return fail(fmt::format("{}: another culprit is writing to it", path.string()),
                "wait for it to end");
  case SQLITE_CANTOPEN:
  case SQLITE_READONLY:
  case SQLITE_PERM:
    return fail(fmt::format("{}: cannot be written", path.string()),
                "see to it that you may write there, or name another file");
  case SQLITE_FULL:
    return fail(fmt::format("{}: there is no space left for it", path.string()),
                "make room on the disk, or name a file elsewhere");
  default:
    return fail(fmt::format("{}: the database fails: {}", path.string(), sqlite3_errmsg(database)));
  }
}

Result<void> distrust(sqlite3 *database, const std::filesystem::path &path) {
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kMaxValue);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  return execute(database, path, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;");
}

// A model, of this version, whole, and with no schema but ours.
Result<void> check(sqlite3 *database, const std::filesystem::path &path) {
  const auto application = number_of(database, path, "PRAGMA application_id");
  if (!application)
    return std::unexpected(application.error());
  if (*application != kApplicationId)
    return fail(fmt::format("{}: not a model", path.string()),
                "name the right file, or train a new model with `culprit train`");
  const auto version = number_of(database, path, "PRAGMA user_version");
  if (!version)
    return std::unexpected(version.error());
  if (*version > kVersion)
    return fail(fmt::format("{}: model of version {}, this culprit reads up to {}", path.string(),
                            *version, kVersion),
                "use the culprit that wrote it, or a newer one");
  if (*version < 1)
    return damaged_model(path, "it has no version");
  if (*version < kVersion)
    return fail(fmt::format("{}: model of version {}, this culprit reads version {}", path.string(),
                            *version, kVersion),
                "remove it, and train a new model with `culprit train`");
  std::string schema; // ours, as SQLite keeps it: a statement a line
  auto read = query(database, path, "SELECT type, sql FROM sqlite_schema ORDER BY name",
                    [&](const Row &row) -> Result<void> {
                      if (!row.is_text(0) || row.text(0) != "table" || !row.is_text(1))
                        return damaged_model(path, "its schema is not a model's");
                      schema += row.text(1);
                      schema += '\n';
                      return {};
                    });
  if (!read)
    return read;
  // Compared with what a new model gets, made in memory.
  sqlite3 *raw = nullptr;
  const int opened = sqlite3_open(":memory:", &raw);
  const Database fresh(raw);
  if (opened != SQLITE_OK)
    return fail("SQLite cannot open a database in memory");
  if (auto made = execute(fresh.get(), path, kSchema); !made)
    return made;
  std::string expected;
  read = query(fresh.get(), path, "SELECT sql FROM sqlite_schema ORDER BY name",
               [&](const Row &row) -> Result<void> {
                 expected += row.text(0);
                 expected += '\n';
                 return {};
               });
  if (!read)
    return read;
  if (schema != expected)
    return damaged_model(path, "its schema is not a model's");
  std::string answer;
  read = query(database, path, "PRAGMA quick_check(1)", [&](const Row &row) -> Result<void> {
    answer = row.text(0);
    return {};
  });
  if (!read)
    return read;
  if (answer != "ok")
    return damaged_model(path, kBadPages);
  return {};
}

// Another culprit may be making it as well: who comes second finds the tables, and they are right.
Result<void> make(sqlite3 *database, const std::filesystem::path &path) {
  if (auto begun = execute(database, path, "BEGIN IMMEDIATE"); !begun)
    return begun;
  const auto tables = number_of(database, path, "SELECT count(*) FROM sqlite_schema");
  if (!tables)
    return std::unexpected(tables.error());
  if (*tables != 0)
    return execute(database, path, "ROLLBACK");
  return execute(database, path,
                 fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; {} COMMIT;",
                             kApplicationId, kVersion, kSchema));
}

// SQLite opens what is not there or has no bytes as a new database; a FIFO would block for ever.
Result<bool> is_there(const std::filesystem::path &path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    return false;
  if (!std::filesystem::is_regular_file(status))
    return fail(fmt::format("{}: not a regular file", path.string()));
  if (!std::ifstream(path))
    return fail(fmt::format("{}: cannot be read", path.string()));
  return true;
}

} // namespace

void CloseDatabase::operator()(sqlite3 *database) const { sqlite3_close(database); }

std::unexpected<Error> damaged_model(const std::filesystem::path &path, std::string_view what) {
  return fail(fmt::format("{}: damaged model: {}", path.string(), what),
              "train a new model with `culprit train`, or take a copy of the old one");
}

bool Row::is_number(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
}
bool Row::is_text(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_TEXT;
}
bool Row::is_bytes(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_BLOB;
}
int64_t Row::number(int column) const { return sqlite3_column_int64(statement_, column); }
std::string_view Row::text(int column) const {
  const void *bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr
             ? std::string_view()
             : std::string_view(static_cast<const char *>(bytes), static_cast<size_t>(size));
}

Result<void> execute(sqlite3 *database, const std::filesystem::path &path, const std::string &sql) {
  if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    auto error = failed(database, path);
    sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
    return error;
  }
  return {};
}

Result<void> change(sqlite3 *database, const std::filesystem::path &path, const char *sql,
                    const std::vector<Value> &values) {
  sqlite3_stmt *raw = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &raw, nullptr) != SQLITE_OK)
    return failed(database, path);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(raw,
                                                                             &sqlite3_finalize);
  for (size_t i = 0; i < values.size(); ++i) {
    const int column = static_cast<int>(i) + 1;
    int bound = SQLITE_OK;
    if (const auto *number = std::get_if<int64_t>(&values[i]))
      bound = sqlite3_bind_int64(raw, column, *number);
    else if (const auto *text = std::get_if<std::string_view>(&values[i]))
      bound = sqlite3_bind_text64(raw, column, text->empty() ? "" : text->data(), text->size(),
                                  SQLITE_STATIC, SQLITE_UTF8);
    else if (const auto *blob = std::get_if<Bytes>(&values[i]))
      bound = sqlite3_bind_blob64(raw, column, blob->bytes.empty() ? "" : blob->bytes.data(),
                                  blob->bytes.size(), SQLITE_STATIC);
    if (bound != SQLITE_OK)
      return failed(database, path);
  }
  if (sqlite3_step(raw) != SQLITE_DONE)
    return failed(database, path);
  return {};
}

Result<void> query(sqlite3 *database, const std::filesystem::path &path, const char *sql,
                   const std::function<Result<void>(const Row &)> &each) {
  sqlite3_stmt *raw = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &raw, nullptr) != SQLITE_OK)
    return failed(database, path);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(raw,
                                                                             &sqlite3_finalize);
  for (;;) {
    const int step = sqlite3_step(raw);
    if (step == SQLITE_DONE)
      return {};
    if (step != SQLITE_ROW)
      return failed(database, path);
    if (auto done = each(Row(raw)); !done)
      return done;
  }
}

Result<int64_t> number_of(sqlite3 *database, const std::filesystem::path &path, const char *sql) {
  int64_t value = 0;
  auto read = query(database, path, sql, [&](const Row &row) -> Result<void> {
    value = row.number(0);
    return {};
  });
  if (!read)
    return std::unexpected(read.error());
  return value;
}

bool has_moved(sqlite3 *database) {
  int moved = 0;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
         moved != 0;
}

Result<Database> open_database(const std::filesystem::path &path, Access access) {
  const auto there = is_there(path);
  if (!there)
    return std::unexpected(there.error());
  if (!*there && access != Access::create)
    return fail(fmt::format("{}: no such model", path.string()), "make one with `culprit train`");
  std::error_code error;
  if (*there && access != Access::create && std::filesystem::file_size(path, error) == 0)
    return damaged_model(path, "it is empty");
  // Also for reading: what a killed writer left half done must be rolled back first. SQLite opens a
  // file it may not write for reading alone.
  const int flags = SQLITE_OPEN_READWRITE | (access == Access::create ? SQLITE_OPEN_CREATE : 0);
  sqlite3 *raw = nullptr;
  const int opened = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  Database database(raw);
  if (raw == nullptr)
    return fail(fmt::format("{}: out of memory", path.string()));
  if (opened != SQLITE_OK)
    return failed(raw, path);
  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  if (auto done = distrust(raw, path); !done)
    return std::unexpected(done.error());
  // A file without a page is what a killed `train` left before its first commit: a new model.
  if (access == Access::create && std::filesystem::file_size(path, error) == 0)
    if (auto made = make(raw, path); !made)
      return std::unexpected(made.error());
  if (auto checked = check(raw, path); !checked)
    return std::unexpected(checked.error());
  if (access == Access::read)
    if (auto done = execute(raw, path, "PRAGMA query_only = ON"); !done)
      return std::unexpected(done.error());
  return database;
}

} // namespace culprit::model
