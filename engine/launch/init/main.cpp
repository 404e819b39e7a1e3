// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The init process of one launch: a small static program, carried inside the engine and started
// from memory.
//
//   engine ── init ── [first process of the process namespace ── init] ── target
//
// A program of its own, for three reasons: after fork in a threaded engine hardly anything is
// allowed, whereas here everything is; the kernel counts the pages of the forking process towards
// the peak memory of what is executed next, and ours are few; and forking a small process costs 0.1
// ms, however large the engine has grown. The target is never the first process itself, since
// programs take getppid() == 1 for "my parent has died".
//
// Every process here has all signals blocked and waits for them; each ends when the one above it
// does.
#include "engine/launch/init/mounts.h"
#include "engine/launch/init/plan.h"
#include "engine/launch/init/supervise.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit::launch::init {
namespace {

Plan read_plan() {
  std::string bytes;
  char buffer[16 * 1024];
  ssize_t count;
  while ((count = ::read(kPlanDescriptor, buffer, sizeof(buffer))) > 0)
    bytes.append(buffer, static_cast<size_t>(count));
  Plan plan;
  Reader reader(bytes);
  reader(plan);
  if (!reader.whole())
    refuse(Step::plan, 0, EINVAL);
  return plan;
}

// Waits until `child` has ended, collecting orphans on the way and passing on the order to end.
void wait_for(pid_t child) {
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigaddset(&awaited, SIGTERM);
  const pid_t starter = ::getppid();
  for (;;) {
    siginfo_t info{};
    int signal = ::sigwaitinfo(&awaited, &info);
    // A target may signal us as well; that is no order. (A dead starter is one, whoever says so.)
    if (signal == SIGTERM && (info.si_pid == starter || ::getppid() != starter))
      ::kill(child, SIGTERM);
    pid_t ended;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0)
      if (ended == child)
        return;
  }
}

pid_t fork_or_refuse() {
  pid_t child = ::fork();
  if (child < 0)
    refuse(Step::process_namespace, 0, errno);
  if (child == 0)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return child;
}

[[noreturn]] void be_first_process(const Plan &plan) {
  if (std::optional<Refusal> refusal = mount_proc())
    refuse(refusal->step, refusal->index, refusal->error);
  pid_t child = fork_or_refuse();
  if (child == 0) {
    supervise(plan);
    ::_exit(0);
  }
  wait_for(child);
  ::_exit(0); // and the kernel ends whatever is left in the namespace
}

void say_changes(const Plan &plan) {
  for (uint32_t i = 0; i < plan.overlays.size(); ++i)
    if (has_changes(plan.overlays[i]))
      say({.said = Said::changed, .index = i});
}

} // namespace

int run() {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::close(kImageDescriptor);
  ::prctl(PR_SET_NAME, "culprit-init");
  Plan plan = read_plan();
  ::close(kPlanDescriptor);
  // SIGTERM, not SIGKILL: without a process namespace, we are the one who has to end the others.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != plan.parent)
    return 1;
  if (!plan.process_namespace)
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);

  if (std::optional<Refusal> refusal = enter_namespaces(plan))
    refuse(refusal->step, refusal->index, refusal->error);
  if (std::optional<Refusal> refusal = mount_files(plan))
    refuse(refusal->step, refusal->index, refusal->error);
  if (!plan.process_namespace) {
    supervise(plan);
    say_changes(plan);
    return 0;
  }
  pid_t child = fork_or_refuse();
  if (child == 0)
    be_first_process(plan);
  wait_for(child);
  say_changes(plan);
  return 0;
}

} // namespace culprit::launch::init

int main() { return culprit::launch::init::run(); }
