// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/init/processes.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace culprit::launch::init {
namespace {

struct Process {
  pid_t number = 0;
  pid_t parent = 0;
  bool ours = false;
};

std::string read_file(pid_t process, const char *name) {
  std::string path = "/proc/" + std::to_string(process) + "/" + name;
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return {};
  std::string text(4096, '\0');
  ssize_t count = ::read(file, text.data(), text.size()); // all that we look for comes early
  ::close(file);
  text.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return text;
}

// The number after "\nName:", in the file's own unit.
uint64_t field(const std::string &text, const char *name) {
  size_t at = text.find(std::string("\n") + name + ":");
  return at == std::string::npos
             ? 0
             : std::strtoull(text.c_str() + at + std::strlen(name) + 2, nullptr, 10);
}

std::vector<Process> list_processes() {
  std::vector<Process> processes;
  DIR *directory = ::opendir("/proc");
  if (!directory)
    return processes;
  while (const dirent *entry = ::readdir(directory)) {
    const auto number = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (number > 0)
      processes.push_back({.number = number});
  }
  ::closedir(directory);
  return processes;
}

std::vector<pid_t> our_processes(bool own_namespace) {
  const pid_t self = ::getpid();
  std::vector<Process> all = list_processes();
  std::vector<pid_t> ours;
  if (own_namespace) {
    for (const Process &process : all)
      if (process.number != 1 && process.number != self)
        ours.push_back(process.number);
    return ours;
  }
  for (Process &process : all)
    process.parent = static_cast<pid_t>(field(read_file(process.number, "status"), "PPid"));
  // Numbers wrap, so a child's need not be higher than its parent's: repeat until nothing is added.
  for (bool changed = true; changed;) {
    changed = false;
    for (Process &process : all) {
      bool child = process.parent == self;
      for (pid_t number : ours)
        child = child || process.parent == number;
      if (child && !process.ours) {
        process.ours = changed = true;
        ours.push_back(process.number);
      }
    }
  }
  return ours;
}

} // namespace

void end_descendants() {
  // A killed process's children become ours, so this ends when there are none, however fast they
  // fork.
  for (;;) {
    for (pid_t process : our_processes(false))
      ::kill(process, SIGKILL);
    pid_t collected;
    while ((collected = ::waitpid(-1, nullptr, WNOHANG)) > 0)
      ;
    if (collected < 0)
      return;
    ::usleep(1000);
  }
}

uint64_t memory_in_use(bool own_namespace) {
  uint64_t kibibytes = 0;
  for (pid_t process : our_processes(own_namespace)) {
    std::string status = read_file(process, "status");
    kibibytes += field(status, "RssAnon") + field(status, "VmSwap");
  }
  return kibibytes * 1024;
}

uint64_t memory_in_use_exactly(bool own_namespace) {
  uint64_t kibibytes = 0;
  for (pid_t process : our_processes(own_namespace)) {
    std::string rollup = read_file(process, "smaps_rollup");
    kibibytes += field(rollup, "Pss_Anon") + field(rollup, "SwapPss");
  }
  return kibibytes * 1024;
}

} // namespace culprit::launch::init
