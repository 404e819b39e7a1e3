// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ends a process is tried in a child: how it ended, and the crash it told of.
#pragma once

#include "runtime/locate/crash.h"

#include <functional>
#include <optional>

#include <array>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit::locate {

struct Ended {
  int status;
  std::optional<culprit_record_crash> crash;
  culprit_record_arguments arguments; // of the pointers handed to unseen code

  int signal() const { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }
  int code() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
};

// Messages of the child's go nowhere. A child that comes to the end of `body` exits with 0, in the
// way exit() does.
inline Ended in_child(const std::function<void()> &body) {
  static int pipe_end;
  int ends[2];
  if (pipe(ends) != 0)
    return {-1, {}, {}};
  pid_t child = fork();
  if (child == 0) {
    pipe_end = ends[1];
    g_crash_observer = [](const culprit_record_crash &record,
                          const culprit_record_arguments &arguments) {
      if (write(pipe_end, &record, sizeof record) != sizeof record ||
          write(pipe_end, &arguments, sizeof arguments) != sizeof arguments)
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
  if (ended.crash &&
      read(ends[0], &ended.arguments, sizeof ended.arguments) != sizeof ended.arguments)
    ended.crash.reset();
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  return ended;
}

} // namespace culprit::locate
