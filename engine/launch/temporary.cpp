// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/temporary.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "culprit-";
constexpr const char *kLockName = "lock";
// Between making a directory and locking it there is a moment; nothing this young counts as
// abandoned.
constexpr time_t kAbandonedAfterSeconds = 3600;

struct Registry {
  std::mutex mutex;
  std::set<fs::path> paths;
};

// Leaked: remove_temporaries() may run while static objects are destroyed.
Registry &registry() {
  static auto *instance = new Registry;
  return *instance;
}

void remember(const fs::path &path) {
  std::scoped_lock lock(registry().mutex);
  registry().paths.insert(path);
}

void forget(const fs::path &path) {
  std::scoped_lock lock(registry().mutex);
  registry().paths.erase(path);
}

bool is_abandoned(const fs::path &directory) {
  struct stat status;
  if (::lstat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != ::geteuid() || std::time(nullptr) - status.st_mtime < kAbandonedAfterSeconds)
    return false;
  Descriptor lock = open_file((directory / kLockName).c_str(), O_RDONLY | O_NOFOLLOW);
  return lock.is_open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
}

void remove_abandoned(const fs::path &root) {
  std::error_code error;
  for (fs::directory_iterator entry(root, fs::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().starts_with(kPrefix) && is_abandoned(entry->path()))
      remove_tree(entry->path());
}

Error cannot_write(const fs::path &path) {
  return {fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)), {}};
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

} // namespace

fs::path temporary_root() {
  std::error_code error;
  if (const char *variable = std::getenv("TMPDIR"); variable && *variable) {
    fs::path chosen = fs::absolute(variable, error);
    if (!error && fs::is_directory(chosen, error))
      return chosen.lexically_normal();
  }
  return "/tmp";
}

Result<TemporaryDirectory> TemporaryDirectory::create(const fs::path &parent) {
  fs::path root = parent.empty() ? temporary_root() : parent;
  if (parent.empty()) {
    static std::once_flag once;
    std::call_once(once, [&] { remove_abandoned(root); });
  }
  std::string name = (root / kPrefix).string() + "XXXXXX";
  if (!::mkdtemp(name.data()))
    return fail(fmt::format("cannot make a temporary directory in '{}': {}", root.string(),
                            std::strerror(errno)),
                "set TMPDIR to a directory that can be written to");
  remember(name);
  TemporaryDirectory made;
  made.path_ = name;
  made.lock_ = open_file((made.path_ / kLockName).c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (made.lock_.is_open())
    ::flock(made.lock_.get(), LOCK_EX | LOCK_NB);
  return made;
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory &&other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

TemporaryDirectory &TemporaryDirectory::operator=(TemporaryDirectory &&other) noexcept {
  if (this != &other) {
    remove();
    path_ = std::exchange(other.path_, {});
    lock_ = std::move(other.lock_);
  }
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() { remove(); }

void TemporaryDirectory::remove() {
  if (path_.empty())
    return;
  remove_tree(path_);
  forget(path_);
  path_.clear();
}

Result<void> write_atomically(const fs::path &path, std::string_view bytes) {
  std::error_code error;
  fs::path target = fs::canonical(path, error); // through symbolic links, if it exists
  if (error)
    target = path;
  struct stat existing{};
  bool exists = ::stat(target.c_str(), &existing) == 0;
  if (exists && !S_ISREG(existing.st_mode)) {
    Descriptor direct = open_file(target.c_str(), O_WRONLY | O_NOCTTY);
    if (!direct.is_open() || !write_all(direct.get(), bytes))
      return std::unexpected(cannot_write(path));
    return {};
  }
  static std::atomic<unsigned> counter = 0;
  fs::path partial = target;
  partial += fmt::format(".{}-{}.partial", ::getpid(), counter.fetch_add(1));
  remember(partial);
  Descriptor file = open_file(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  bool done = file.is_open() && write_all(file.get(), bytes) &&
              (!exists || ::fchmod(file.get(), existing.st_mode & 07777) == 0) &&
              ::rename(partial.c_str(), target.c_str()) == 0;
  Result<void> result;
  if (!done) {
    result = std::unexpected(cannot_write(path));
    if (file.is_open())
      ::unlink(partial.c_str());
  }
  forget(partial);
  return result;
}

void remove_temporaries() {
  std::set<fs::path> paths;
  {
    std::scoped_lock lock(registry().mutex);
    paths = registry().paths;
  }
  for (const fs::path &path : paths)
    remove_tree(path);
}

} // namespace culprit::launch
