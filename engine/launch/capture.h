// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the first `limit` bytes that come out of a pipe and throws the rest away, so that whoever
// writes into it never blocks on us.
#pragma once

#include "engine/launch/descriptor.h"

#include <cstdint>
#include <string>

namespace culprit::launch {

class Capture {
public:
  Capture() = default;
  Capture(Descriptor read_end, uint64_t limit);

  // For poll(): -1 once the other end is closed.
  int descriptor() const { return pipe_.get(); }
  // Reads what is there, without blocking and at most 1 MiB, so that one flood cannot starve the
  // other pipe.
  void read_available();
  // Reads the rest after the writer ended; gives up at `limit`, since a survivor may still be
  // writing.
  void drain();

  std::string text;
  uint64_t discarded = 0;

private:
  bool read_once();

  Descriptor pipe_;
  uint64_t limit_ = 0;
};

} // namespace culprit::launch
