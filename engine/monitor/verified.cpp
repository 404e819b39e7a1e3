// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/verified.h"

#include <fmt/format.h>

namespace culprit::monitor {

void Verified::add(const Verified &other) {
  points += other.points;
  vertexes += other.vertexes;
  mismatches += other.mismatches;
  concurrent += other.concurrent;
  if (first.empty())
    first = other.first;
}

std::string verified_text(const Verified &verified) {
  if (verified.mismatches != 0)
    return fmt::format("the heap graph is wrong in {} of {} objects compared: {}",
                       verified.mismatches, verified.vertexes, verified.first);
  return fmt::format("verified {} objects at {} metric points: the graph is exact{}",
                     verified.vertexes, verified.points,
                     verified.concurrent == 0
                         ? std::string()
                         : fmt::format(" ({} more points could not be compared, because other "
                                       "threads went on writing)",
                                       verified.concurrent));
}

Verified count_verified(const heap::HeapRun &run) {
  Verified sum;
  for (const run::Verify &record : run.verified) {
    const culprit_record_verify &numbers = record.numbers;
    if (numbers.threads > 1) {
      ++sum.concurrent;
      continue;
    }
    ++sum.points;
    sum.vertexes += numbers.vertexes;
    sum.mismatches += numbers.mismatches;
    if (numbers.mismatches != 0 && sum.first.empty())
      sum.first = fmt::format("metric point {}: the object at {:#x} has indegree {} and outdegree "
                              "{} in the graph, {} and {} in the scan",
                              numbers.index, numbers.address, numbers.graph_in, numbers.graph_out,
                              numbers.scan_in, numbers.scan_out);
  }
  return sum;
}

} // namespace culprit::monitor
