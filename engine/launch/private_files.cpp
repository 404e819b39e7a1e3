// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/private_files.h"

#include "engine/launch/copy_tree.h"
#include "engine/launch/mount_table.h"
#include "engine/launch/runtime_options.h"
#include "engine/launch/temporary.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <sys/statvfs.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;

// Sorted, so that an outer directory comes before those in it.
using Directories = std::set<fs::path>;

Result<fs::path> canonical_directory(const fs::path &path) {
  std::error_code error;
  fs::path result = fs::canonical(path, error);
  if (error)
    return fail(fmt::format("cannot use directory '{}': {}", path.string(), error.message()));
  if (!fs::is_directory(result, error))
    return fail(fmt::format("'{}' is not a directory", path.string()));
  return result;
}

bool is_read_only(const fs::path &path) {
  struct statvfs status;
  return ::statvfs(path.c_str(), &status) == 0 && (status.f_flag & ST_RDONLY) != 0;
}

bool lies_in_any(const fs::path &path, const Directories &directories) {
  return std::ranges::any_of(directories,
                             [&](const fs::path &outer) { return lies_in(path, outer); });
}

// Too large and too alive to be copied, whatever their size is just now.
bool may_be_copied(const fs::path &directory) {
  std::error_code error;
  Directories shared = {"/", "/tmp", "/var/tmp", fs::canonical(temporary_root(), error)};
  if (const char *home = std::getenv("HOME"); home && *home)
    shared.insert(fs::weakly_canonical(home, error));
  return std::ranges::none_of(shared, [&](const fs::path &path) {
    return !path.empty() && (path == directory || lies_in(path, directory));
  });
}

class Arrangement {
public:
  Arrangement(const Request &request, const Abilities &abilities, fs::path scratch)
      : request_(request), abilities_(abilities), scratch_(std::move(scratch)),
        mounts_(mount_table()) {}

  Result<PrivateFiles> make() {
    Result<void> done = find_directories();
    for (const fs::path &directory : roots_)
      if (done)
        done = keep_private(directory);
    if (done)
      done = show_shared();
    if (!done)
      return std::unexpected(std::move(done.error()));
    return std::move(files_);
  }

private:
  bool can_mount() const { return abilities_.namespaces != init::Namespaces::none; }

  Result<void> find_directories() {
    std::error_code error;
    Result<fs::path> working = canonical_directory(
        request_.directory.empty() ? fs::current_path(error) : request_.directory);
    if (!working)
      return std::unexpected(working.error());
    files_.directory = *working;
    if (request_.privacy == Privacy::none)
      return {};
    Directories &wanted = wanted_;
    wanted.insert(*working);
    for (const fs::path &path : request_.private_directories) {
      Result<fs::path> directory = canonical_directory(path);
      if (!directory)
        return std::unexpected(directory.error());
      wanted.insert(*directory);
    }
    if (wanted.contains("/")) {
      if (request_.privacy == Privacy::copy || !can_mount())
        return fail(
            fmt::format("cannot keep '/' private: no overlay can be mounted ({})", refusal("/")),
            "run in a directory of its own");
      split_root(wanted);
    }
    for (const fs::path &directory : wanted)
      if (!lies_in_any(directory, roots_) && !is_read_only(directory))
        roots_.insert(directory);
    return {};
  }

  // Mounting over "/" would not change what running processes call "/". Its directories, one by
  // one, do.
  void split_root(Directories &wanted) {
    wanted.erase("/");
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator("/", error))
      if (entry.is_directory(error) && !entry.is_symlink(error) && !is_interface(entry.path()))
        if (wanted.insert(entry.path()).second)
          of_root_.insert(entry.path());
    if (::access("/", W_OK) == 0)
      files_.notes.emplace_back("files made directly in / are not private");
  }

  bool is_interface(const fs::path &path) const {
    return std::ranges::any_of(mounts_, [&](const Mount &mount) {
      return mount.path == path && is_kernel_interface(mount.type);
    });
  }

  Result<void> keep_private(const fs::path &directory) {
    Method method = abilities_.method(directory);
    if (request_.privacy == Privacy::copy || !can_mount())
      method = Method::copy;
    if (method == Method::copy && of_root_.contains(directory)) {
      // Nobody who stands in "/" asked for this one in particular: better a word than a refusal.
      files_.notes.push_back(fmt::format("{} is not private: no overlay can be mounted ({})",
                                         directory.string(), refusal(directory)));
      return {};
    }
    if (method == Method::copy)
      return keep_copy(directory);
    add_overlay(directory, method);
    // An overlay shows one file system only: what is mounted below has to be brought back.
    Directories seen;
    for (const Mount &mount : mounts_) {
      if (!lies_in(mount.path, directory) || !seen.insert(mount.path).second)
        continue;
      std::error_code error;
      bool keep = is_kernel_interface(mount.type) || !fs::is_directory(mount.path, error) ||
                  is_read_only(mount.path) || abilities_.method(mount.path) == Method::copy;
      if (keep)
        files_.binds.push_back({mount.path, mount.path});
      else
        add_overlay(mount.path, abilities_.method(mount.path));
    }
    return {};
  }

  void add_overlay(const fs::path &directory, Method method) {
    // The changes may not be kept in what they are changes of.
    bool in_memory = method == Method::overlay_in_memory || lies_in(scratch_, directory);
    fs::path place = scratch_ / fmt::format("private-{}", ++count_);
    std::error_code error;
    fs::create_directory(place, error);
    files_.overlays.push_back({directory, place, in_memory});
    if (in_memory)
      files_.notes.push_back(fmt::format("changes in {} are kept in memory", directory.string()));
  }

  Result<void> keep_copy(const fs::path &directory) {
    bool working = directory == files_.directory || lies_in(files_.directory, directory);
    if (!can_mount() && !working)
      return fail(
          fmt::format("cannot keep '{}' private: {}", directory.string(), refusal("namespaces")),
          "this system allows no mount namespace; run without --private");
    if (!may_be_copied(directory))
      return fail(
          fmt::format("cannot keep '{}' private: no overlay can be mounted ({}) and it is no "
                      "directory to copy",
                      directory.string(), refusal(directory)),
          "run in a directory of its own");
    uint64_t limit = request_.limits.private_bytes;
    if (tree_bytes(directory, limit) > limit)
      return fail(
          fmt::format(
              "cannot keep '{}' private: no overlay can be mounted ({}) and a copy would be "
              "larger than {} MiB",
              directory.string(), refusal(directory), limit >> 20),
          "run in a smaller directory");
    fs::path copy = scratch_ / fmt::format("private-{}", ++count_);
    if (Result<void> copied = copy_tree(directory, copy, scratch_); !copied)
      return copied;
    files_.copies.push_back(copy);
    files_.notes.push_back(fmt::format("{} is a copy: no overlay can be mounted ({})",
                                       directory.string(), refusal(directory)));
    if (can_mount()) {
      files_.binds.push_back({copy, directory});
      return {};
    }
    files_.notes.push_back(
        fmt::format("the working directory is {} instead of {}: no namespaces here ({})",
                    copy.string(), files_.directory.string(), refusal("namespaces")));
    files_.directory = (copy / fs::relative(files_.directory, directory)).lexically_normal();
    return {};
  }

  std::string refusal(const std::string &what) const {
    auto found = abilities_.refusals.find(what);
    if (found == abilities_.refusals.end())
      found = abilities_.refusals.find("namespaces");
    return found == abilities_.refusals.end() ? "not wanted" : found->second;
  }

  Result<void> show_shared() {
    if (!can_mount())
      return {};
    std::error_code error;
    Directories shared;
    for (const fs::path &path : request_.shared_directories)
      shared.insert(fs::weakly_canonical(path, error));
    for (const fs::path &path : runtime_option_paths(request_.runtime_options)) {
      fs::path parent = fs::weakly_canonical(fs::absolute(path, error).parent_path(), error);
      if (!covers_private(parent)) {
        shared.insert(parent);
        continue;
      }
      if (path != run_file_option(request_.runtime_options))
        return fail(fmt::format("'{}' cannot be reached from the private directory '{}'",
                                path.string(), parent.string()),
                    "put it into a directory of its own");
      fs::path runs = scratch_ / "runs";
      fs::create_directory(runs, error);
      files_.run_file = runs / path.filename();
      shared.insert(runs);
    }
    for (const fs::path &path : shared)
      if (lies_in_any(path, roots_))
        files_.binds.push_back({path, path});
    return {};
  }

  // Showing `directory` as it is would undo the privacy of one that was asked for.
  bool covers_private(const fs::path &directory) const {
    return std::ranges::any_of(wanted_, [&](const fs::path &wanted) {
      return wanted == directory || (lies_in(wanted, directory) && lies_in_any(directory, roots_));
    });
  }

  const Request &request_;
  const Abilities &abilities_;
  fs::path scratch_;
  std::vector<Mount> mounts_;
  Directories wanted_;  // private, by the request
  Directories of_root_; // those that stand for "/"
  Directories roots_;   // the outermost of these
  PrivateFiles files_;
  int count_ = 0;
};

} // namespace

Result<PrivateFiles> arrange_private_files(const Request &request, const Abilities &abilities,
                                           const fs::path &scratch) {
  return Arrangement(request, abilities, scratch).make();
}

} // namespace culprit::launch
