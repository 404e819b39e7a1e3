// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/cache.h"

#include "engine/build/cache_note.h"
#include "engine/build/file_bytes.h"
#include "engine/build/file_lock.h"
#include "engine/launch/temporary.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>

namespace culprit::build {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kDefaultLimit = 4ULL << 30;
constexpr const char *kFlavourFile = "flavour";
constexpr const char *kNoteFile = "entry.json";

Result<std::string> key_of(const Toolchain &toolchain, const Carried &carried,
                           const FlavourKind &kind) {
  auto identity = toolchain_identity(toolchain);
  if (!identity)
    return std::unexpected(identity.error());
  const std::string text = fmt::format("{:016x} {} {} {}", carried.content_hash,
                                       static_cast<int>(carried.type), kind.name, *identity);
  const auto hash =
      llvm::xxh3_128bits({reinterpret_cast<const uint8_t *>(text.data()), text.size()});
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

uint64_t hash_of(std::string_view bytes) {
  return llvm::xxh3_64bits(llvm::StringRef(bytes.data(), bytes.size()));
}

// Over the flavour and what the note says about it: `culprit cache` shows both.
std::string checksum(std::string_view flavour, const CacheNote &note) {
  return fmt::format("{:016x}", hash_of(fmt::format("{:016x} {} {}", hash_of(flavour), note.flavour,
                                                    note.program)));
}

bool is_executable(const fs::path &file) {
  std::error_code error;
  return (fs::status(file, error).permissions() & fs::perms::owner_exec) != fs::perms::none;
}

} // namespace

Result<Cache> Cache::open() {
  const char *base = std::getenv("XDG_CACHE_HOME");
  if (base != nullptr && base[0] == '/')
    return Cache(fs::path(base) / "culprit");
  const char *home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/')
    return fail(
        "there is no place for the cache of flavours: neither XDG_CACHE_HOME nor HOME is set",
        "set XDG_CACHE_HOME to a directory");
  return Cache(fs::path(home) / ".cache" / "culprit");
}

fs::path Cache::entry_path(const std::string &key) const { return root_ / "flavours" / key; }

std::optional<CacheEntry> Cache::read_entry(const std::string &key) const {
  const fs::path folder = entry_path(key);
  auto note = FileBytes::map(folder / kNoteFile);
  if (!note)
    return std::nullopt;
  const auto read = cache_note_from_json(note->view());
  if (!read)
    return std::nullopt;
  auto file = FileBytes::map(folder / kFlavourFile);
  if (!file || read->checksum != checksum(file->view(), *read) ||
      !is_executable(folder / kFlavourFile))
    return std::nullopt;
  std::error_code ignored;
  return CacheEntry{key,
                    read->program,
                    read->flavour,
                    file->view().size(),
                    fs::last_write_time(folder / kNoteFile, ignored),
                    folder / kFlavourFile};
}

Result<std::optional<CacheEntry>> Cache::lookup(const Toolchain &toolchain, const Carried &carried,
                                                const FlavourKind &kind) const {
  auto key = key_of(toolchain, carried, kind);
  if (!key)
    return std::unexpected(key.error());
  return read_entry(*key);
}

Result<CachedFlavour> Cache::flavour(const Toolchain &toolchain, const Carried &carried,
                                     const FlavourKind &kind, unsigned jobs,
                                     const std::function<void()> &on_make) const {
  auto key = key_of(toolchain, carried, kind);
  if (!key)
    return std::unexpected(key.error());
  std::error_code error;
  fs::create_directories(root_ / "flavours", error);
  fs::create_directories(root_ / "locks", error);
  auto lock = FileLock::acquire(root_ / "locks" / *key);
  if (!lock)
    return std::unexpected(
        Error{lock.error().what, "set XDG_CACHE_HOME to a directory that can be written"});

  if (auto entry = read_entry(*key)) {
    fs::last_write_time(entry_path(*key) / kNoteFile, fs::file_time_type::clock::now(), error);
    return CachedFlavour{entry->file, false};
  }
  launch::remove_tree(entry_path(*key)); // damaged, if it is there at all

  if (on_make)
    on_make();
  auto scratch = launch::TemporaryDirectory::create();
  if (!scratch)
    return std::unexpected(scratch.error());
  auto fresh = launch::TemporaryDirectory::create(root_ / "flavours");
  if (!fresh)
    return std::unexpected(fresh.error());
  const fs::path folder = fresh->path() / "entry";
  fs::create_directory(folder, error);
  const fs::path output = folder / kFlavourFile;
  if (auto made = make_flavour(toolchain, carried, kind, scratch->path(), output, jobs); !made)
    return std::unexpected(made.error());

  auto bytes = FileBytes::map(output);
  if (!bytes)
    return std::unexpected(bytes.error());
  CacheNote note{carried.path.filename().string(), std::string(kind.name), {}};
  note.checksum = checksum(bytes->view(), note);
  if (auto written = launch::write_atomically(folder / kNoteFile, to_json(note)); !written)
    return std::unexpected(written.error());
  fs::rename(folder, entry_path(*key), error);
  if (error)
    return fail(fmt::format("{}: {}", entry_path(*key).string(), error.message()));
  evict(limit(), *key);
  return CachedFlavour{entry_path(*key) / kFlavourFile, true};
}

std::vector<CacheEntry> Cache::entries() const {
  std::vector<CacheEntry> found;
  std::error_code error;
  for (const auto &folder : fs::directory_iterator(root_ / "flavours", error))
    if (auto entry = read_entry(folder.path().filename().string()))
      found.push_back(std::move(*entry));
  std::ranges::sort(found, {}, &CacheEntry::last_used);
  return found;
}

uint64_t Cache::limit() const {
  auto file = FileBytes::map(root_ / "limit");
  if (!file)
    return kDefaultLimit;
  return parse_cache_limit(file->view()).value_or(kDefaultLimit);
}

Result<void> Cache::set_limit(uint64_t bytes) const {
  std::error_code error;
  fs::create_directories(root_, error);
  if (auto written = launch::write_atomically(root_ / "limit", fmt::format("{}\n", bytes));
      !written)
    return written;
  evict(bytes, {});
  return {};
}

void Cache::evict(uint64_t limit, const std::string &spared) const {
  const std::vector<CacheEntry> all = entries();
  uint64_t total = std::accumulate(all.begin(), all.end(), uint64_t{0},
                                   [](uint64_t sum, const CacheEntry &e) { return sum + e.size; });
  for (const CacheEntry &entry : all) {
    if (total <= limit)
      return;
    if (entry.key == spared)
      continue;
    // An entry whose lock is held is being looked at by another process.
    auto lock = FileLock::try_acquire(root_ / "locks" / entry.key);
    if (lock && launch::remove_tree(entry_path(entry.key)))
      total -= entry.size;
  }
}

Result<uint64_t> Cache::clear() const {
  uint64_t freed = 0;
  std::error_code error;
  for (const auto &folder : fs::directory_iterator(root_ / "flavours", error)) {
    const std::string key = folder.path().filename().string();
    auto lock = FileLock::try_acquire(root_ / "locks" / key);
    if (!lock)
      continue;
    const auto size = fs::file_size(folder.path() / kFlavourFile, error);
    if (!launch::remove_tree(folder.path()))
      return fail(fmt::format("{}: cannot be removed", folder.path().string()));
    freed += error ? 0 : size;
  }
  // What triages have located lies beside the flavours; it is nobody's only copy of anything.
  for (const auto &state : fs::directory_iterator(root_ / "triage", error)) {
    const auto size = fs::file_size(state.path(), error);
    if (fs::remove(state.path(), error))
      freed += size;
  }
  return freed;
}

} // namespace culprit::build
