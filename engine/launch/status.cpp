// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/status.h"

#include <cstring>
#include <fmt/format.h>
#include <sys/wait.h>

namespace culprit::launch {

Status status_of_wait(int wait_status) {
  if (WIFSIGNALED(wait_status))
    return {Ending::signalled, WTERMSIG(wait_status)};
  return {Ending::exited, WEXITSTATUS(wait_status)};
}

std::string describe(const Status &status) {
  switch (status.ending) {
  case Ending::exited:
    return fmt::format("exit code {}", status.code);
  case Ending::signalled:
    if (const char *name = ::sigabbrev_np(status.code))
      return fmt::format("killed by SIG{}", name);
    return fmt::format("killed by signal {}", status.code);
  case Ending::timed_out:
    return "timed out";
  case Ending::cancelled:
    return "cancelled";
  case Ending::over_limit:
    return "over the memory limit";
  }
  return "unknown";
}

} // namespace culprit::launch
