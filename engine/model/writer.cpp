// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/model/writer.h"

#include "engine/model/content_part.h"
#include "engine/model/database.h"
#include "engine/model/folder_lock.h"

#include <fmt/format.h>
#include <system_error>
#include <tuple>

namespace culprit::model {
namespace {

constexpr int kMaxMoves = 100; // of a file that others remove while it is opened
// Changes whenever another connection commits, never by our own commits.
constexpr const char *kWhatOthersWrote = "PRAGMA data_version";

// Of two descriptions of one thing the greater, as merging does.
template <typename T>
void describe(std::map<uint64_t, T> &added, const std::map<uint64_t, T> &known) {
  for (auto &[id, value] : added)
    if (const auto found = known.find(id); found != known.end() && value < found->second)
      value = found->second;
}

} // namespace

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
    if (auto built = insert_build(database_.get(), path_, build_id, merged.builds.at(build_id));
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
