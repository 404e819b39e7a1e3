// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --verify found: the heap graph, kept up to date by card marks, compared with a full scan at
// every metric point.
#pragma once

#include "engine/heap/series.h"

#include <cstdint>
#include <string>

namespace culprit::monitor {

struct Verified {
  uint64_t points = 0;
  uint64_t vertexes = 0;
  uint64_t mismatches = 0;
  uint64_t concurrent = 0; // points at which other threads went on writing: not counted above
  std::string first;       // the first mismatch, in words

  void add(const Verified &other);
};

// "verified 54344 objects at 111 metric points: the graph is exact", or what is wrong.
std::string verified_text(const Verified &verified);

Verified count_verified(const heap::HeapRun &run);

} // namespace culprit::monitor
