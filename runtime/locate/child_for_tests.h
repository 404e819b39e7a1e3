// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ends a process is tried in a child: how it ended, and the crash it told of.
#pragma once

#include "runtime/locate/crash.h"

#include <functional>
#include <optional>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit::locate {

struct Ended {
  int status;
  std::optional<culprit_record_crash> crash;

  int signal() const { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
  int code() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
};

// Messages of the child's go nowhere. A child that comes to the end of `body` exits with 0, in the
// way exit() does.
inline Ended in_child(const std::function<void()> &body) {
  static int pipe_end;
  int ends[2];
  if (pipe(ends) != 0)
    return {-1, {}};
  pid_t child = fork();
  if (child == 0) {
    pipe_end = ends[1];
    g_crash_observer = [](const culprit_record_crash &record) {
      if (write(pipe_end, &record, sizeof record) != sizeof record)
        _exit(99);
    };
    dup2(open("/dev/null", O_WRONLY), 2);
    body();
    _exit(0);
  }
  close(ends[1]);
  Ended ended{};
  culprit_record_crash record{};
  if (read(ends[0], &record, sizeof record) == sizeof record)
    ended.crash = record;
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  return ended;
}

} // namespace culprit::locate
