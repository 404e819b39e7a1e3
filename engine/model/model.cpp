// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files; see model.h.
#include "engine/model/model.h"

#include "engine/model/content_part.h"
#include "engine/model/database.h"
#include "engine/model/folder_lock.h"

#include <fmt/format.h>
#include <system_error>
#include <tuple>
#include <unistd.h>

namespace culprit::model {
namespace {

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

} // namespace culprit::model
