// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/init/supervise.h"

#include "engine/launch/init/processes.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit::launch::init {
namespace {

// Between two looks at the memory a target can touch some 50 MB; a look costs about 20 µs.
constexpr uint64_t kMemoryPollMicroseconds = 20'000;

uint64_t now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000 +
         static_cast<uint64_t>(time.tv_nsec) / 1000;
}

uint64_t microseconds(const timeval &time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

void limit(int resource, uint64_t bytes) {
  rlimit both{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &both);
  both.rlim_cur = std::min<uint64_t>(bytes, both.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

std::vector<char *> pointers(const std::vector<std::string> &strings) {
  std::vector<char *> result;
  result.reserve(strings.size() + 1);
  for (const std::string &string : strings)
    result.push_back(const_cast<char *>(string.c_str())); // exec does not write
  result.push_back(nullptr);
  return result;
}

// By system call, because glibc neither shows nor sets its own two signals, which posix_spawn left
// ignored.
void reset_signals() {
  struct {
    void *handler;
    unsigned long flags;
    void *restorer;
    unsigned long mask;
  } const standard{};
  for (int signal = 1; signal < NSIG; ++signal)
    ::syscall(SYS_rt_sigaction, signal, &standard, nullptr, sizeof(standard.mask));
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &standard.mask, nullptr, sizeof(standard.mask));
}

[[noreturn]] void become_target(const Plan &plan) {
  ::setpgid(0, 0); // the terminal's Ctrl-C is for culprit, which then ends us in its own way
  if (!plan.process_namespace)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  if (plan.stack_bytes)
    limit(RLIMIT_STACK, plan.stack_bytes); // also decides where mmap begins
  if (plan.file_bytes)
    limit(RLIMIT_FSIZE, plan.file_bytes);
  constexpr unsigned long kAsk = 0xffffffff;
  int current = ::personality(kAsk);
  if (plan.fix_addresses &&
      ::personality(static_cast<unsigned long>(current) | ADDR_NO_RANDOMIZE) < 0)
    say({.said = Said::refused, .step = Step::addresses, .error = errno});
  if (::chdir(plan.directory.c_str()) != 0)
    refuse(Step::directory, 0, errno);
  std::vector<char *> arguments = pointers(plan.arguments);
  std::vector<char *> environment = pointers(plan.environment);
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  reset_signals();
  ::execve(plan.executable.c_str(), arguments.data(), environment.data());
  refuse(Step::execute, 0, errno);
}

// SIGCHLD, SIGTERM, or 0 when the time is up. Only whoever started us may order the end: a target
// can signal its parent, too, and that is us.
int wait_for_signal(pid_t starter, uint64_t timeout) {
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigaddset(&awaited, SIGTERM);
  timespec time{static_cast<time_t>(timeout / 1'000'000),
                static_cast<long>(timeout % 1'000'000) * 1000};
  siginfo_t info{};
  int signal = timeout == UINT64_MAX ? ::sigwaitinfo(&awaited, &info)
                                     : ::sigtimedwait(&awaited, &info, &time);
  if (signal == SIGTERM && info.si_pid != starter && ::getppid() == starter)
    return 0;
  return std::max(signal, 0);
}

// Collects children; true and the details once the target is among them.
bool collect(pid_t target, Report &report) {
  int status = 0;
  rusage usage{};
  pid_t child;
  while ((child = ::wait4(-1, &status, WNOHANG, &usage)) > 0) {
    if (child != target)
      continue;
    report.wait_status = status;
    report.user_microseconds = microseconds(usage.ru_utime);
    report.system_microseconds = microseconds(usage.ru_stime);
    report.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    return true;
  }
  return false;
}

bool over_memory(const Plan &plan) {
  return plan.memory_bytes && memory_in_use(plan.process_namespace) > plan.memory_bytes &&
         memory_in_use_exactly(plan.process_namespace) > plan.memory_bytes;
}

} // namespace

void say(const Report &report) {
  [[maybe_unused]] ssize_t written = ::write(kReportDescriptor, &report, sizeof(report));
}

void refuse(Step step, uint32_t index, int error) {
  say({.said = Said::refused, .step = step, .index = index, .error = error});
  ::_exit(1);
}

void supervise(const Plan &plan) {
  const uint64_t begin = now();
  pid_t target = ::fork();
  if (target < 0)
    refuse(Step::supervise, 0, errno);
  if (target == 0)
    become_target(plan);

  const uint64_t deadline =
      plan.timeout_milliseconds ? begin + plan.timeout_milliseconds * 1000 : UINT64_MAX;
  const uint64_t poll = plan.memory_bytes ? kMemoryPollMicroseconds : UINT64_MAX;
  const pid_t starter = ::getppid();
  Report report{.said = Said::ended};
  bool killed = false;
  auto kill_target = [&](EndedBy reason) {
    if (killed)
      return;
    killed = true;
    report.ended_by = reason;
    // The target first and alone, so that it is still ours to collect below.
    ::kill(target, SIGKILL);
  };
  for (;;) {
    uint64_t time = now();
    uint64_t left = killed || deadline == UINT64_MAX ? UINT64_MAX
                    : deadline > time                ? deadline - time
                                                     : 0;
    int signal = wait_for_signal(starter, killed ? UINT64_MAX : std::min(left, poll));
    if (collect(target, report))
      break;
    if (signal == SIGTERM)
      kill_target(EndedBy::request);
    else if (now() >= deadline)
      kill_target(EndedBy::timeout);
    else if (!killed && over_memory(plan))
      kill_target(EndedBy::memory);
  }
  report.wall_microseconds = now() - begin;
  if (!plan.process_namespace)
    end_descendants();
  say(report);
}

} // namespace culprit::launch::init
