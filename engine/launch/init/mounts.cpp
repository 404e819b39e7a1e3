// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every directory and file a mount refers to is opened before the first mount, and named by its
// descriptor: so an overlay cannot hide a source that lies below it, and no name has to be escaped
// for overlayfs.
#include "engine/launch/init/mounts.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit::launch::init {
namespace {

bool write_file(const char *path, const std::string &text) {
  int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return written;
}

bool map_own_identity(const Plan &plan) {
  std::string user = std::to_string(plan.user);
  std::string group = std::to_string(plan.group);
  // The kernel lets us map our group only after we gave up setgroups(2).
  return write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/uid_map", user + " " + user + " 1") &&
         write_file("/proc/self/gid_map", group + " " + group + " 1");
}

std::string by_descriptor(int number) { return "/proc/self/fd/" + std::to_string(number); }

// The root of an overlay looks like its upper directory, so that one has to look like the lower.
void dress_like(int lower, const std::string &upper) {
  struct stat status;
  if (::fstat(lower, &status) != 0)
    return;
  [[maybe_unused]] int owned = ::chown(upper.c_str(), status.st_uid, status.st_gid);
  ::chmod(upper.c_str(), status.st_mode & 07777);
  timespec times[2] = {status.st_atim, status.st_mtim};
  ::utimensat(AT_FDCWD, upper.c_str(), times, 0);
}

// 0 or the error.
int mount_overlay(const Plan &plan, const Overlay &overlay, int lower, int scratch) {
  if (lower < 0 || scratch < 0)
    return ENOENT;
  std::string base = by_descriptor(scratch);
  if (overlay.in_memory) {
    std::string size = "mode=0700,size=" + std::to_string(plan.memory_for_changes);
    if (::mount("culprit", base.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, size.c_str()) != 0)
      return errno;
    // Through the name: the descriptor still leads to what the tmpfs covers.
    int covered = ::open(overlay.scratch.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (covered < 0)
      return errno;
    base = by_descriptor(covered);
  }
  std::string upper = base + "/upper";
  std::string work = base + "/work";
  if (::mkdir(upper.c_str(), 0700) != 0 || ::mkdir(work.c_str(), 0700) != 0)
    return errno;
  dress_like(lower, upper);
  std::string options =
      "volatile,lowerdir=" + by_descriptor(lower) + ",upperdir=" + upper + ",workdir=" + work;
  // Redirection on, or renaming a directory would fail with EXDEV. But in a user namespace, be it
  // ours or a container's in which we only look like root, nothing but user.* attributes can be
  // written, and these exclude it.
  std::string full = options + ",redirect_dir=on,index=off,metacopy=off";
  std::string modest = options + ",userxattr";
  if (plan.namespaces == Namespaces::privileged &&
      ::mount("culprit", overlay.path.c_str(), "overlay", 0, full.c_str()) == 0)
    return 0;
  if (::mount("culprit", overlay.path.c_str(), "overlay", 0, modest.c_str()) == 0)
    return 0;
  return errno;
}

} // namespace

std::optional<Refusal> enter_namespaces(const Plan &plan) {
  if (plan.namespaces == Namespaces::none)
    return std::nullopt;
  int flags = CLONE_NEWNS;
  if (plan.namespaces == Namespaces::user)
    flags |= CLONE_NEWUSER;
  if (plan.process_namespace)
    flags |= CLONE_NEWPID;
  if (::unshare(flags) != 0)
    return Refusal{Step::namespaces, 0, errno};
  if (plan.namespaces == Namespaces::user && !map_own_identity(plan))
    return Refusal{Step::namespaces, 0, errno};
  // Nothing we mount is seen outside, and nothing mounted outside later is seen in here.
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return Refusal{Step::namespaces, 0, errno};
  return std::nullopt;
}

std::optional<Refusal> mount_files(const Plan &plan) {
  constexpr int kDirectory = O_PATH | O_DIRECTORY | O_CLOEXEC;
  std::vector<int> lowers;
  std::vector<int> scratches;
  std::vector<int> sources;
  for (const Overlay &overlay : plan.overlays) {
    lowers.push_back(::open(overlay.path.c_str(), kDirectory));
    scratches.push_back(::open(overlay.scratch.c_str(), kDirectory));
  }
  for (const Bind &bind : plan.binds) {
    sources.push_back(::open(bind.source.c_str(), O_PATH | O_CLOEXEC));
    if (sources.back() < 0)
      return Refusal{Step::bind, static_cast<uint32_t>(sources.size() - 1), errno};
  }
  for (uint32_t i = 0; i < plan.overlays.size(); ++i)
    if (int error = mount_overlay(plan, plan.overlays[i], lowers[i], scratches[i]))
      return Refusal{Step::overlay, i, error};
  for (uint32_t i = 0; i < plan.binds.size(); ++i)
    if (::mount(by_descriptor(sources[i]).c_str(), plan.binds[i].target.c_str(), nullptr,
                MS_BIND | MS_REC, nullptr) != 0)
      return Refusal{Step::bind, i, errno};
  return std::nullopt;
}

std::optional<Refusal> mount_proc() {
  if (::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
    return Refusal{Step::process_namespace, 0, errno};
  return std::nullopt;
}

bool has_changes(const Overlay &overlay) {
  DIR *upper = ::opendir((overlay.scratch + "/upper").c_str());
  if (upper == nullptr)
    return false;
  int entries = 0; // "." and ".." are always there
  while (entries <= 2 && ::readdir(upper) != nullptr)
    ++entries;
  ::closedir(upper);
  return entries > 2;
}

} // namespace culprit::launch::init
