// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a process that we started came to its end. The first two are its own doing, the others are
// ours.
#pragma once

#include <string>

namespace culprit::launch {

enum class Ending {
  exited,     // code: the exit code
  signalled,  // code: the signal
  timed_out,  // ended by us: ran longer than allowed
  cancelled,  // ended by us: the caller asked to stop
  over_limit, // ended by us: used more memory than allowed
};

struct Status {
  Ending ending = Ending::exited;
  int code = 0;

  bool success() const { return ending == Ending::exited && code == 0; }
  bool operator==(const Status &) const = default;
};

Status status_of_wait(int wait_status);

// "exit code 3", "killed by SIGSEGV", "timed out", ...
std::string describe(const Status &status);

} // namespace culprit::launch
