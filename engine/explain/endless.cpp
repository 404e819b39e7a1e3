// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See endless.h.
#include "engine/explain/endless.h"

#include <algorithm>

namespace culprit::explain {
namespace {

// 160 MB, some tenths of a second.
constexpr size_t kLeastEvents = 5'000'000;

} // namespace

size_t events_of_endless(size_t of_other) { return std::max(kLeastEvents, of_other * 2); }

Result<bool> is_endless(const Run &run) {
  if (run.request.limits.timeout.count() == 0)
    return false;
  launch::Request request = run.request;
  request.program = run.target.program();
  auto outcome = launch::run(request);
  if (!outcome)
    return std::unexpected(outcome.error());
  if (outcome->status.ending == launch::Ending::cancelled)
    return fail("interrupted");
  return outcome->status.ending == launch::Ending::timed_out;
}

std::vector<uint64_t> statements_at_end(const Trace &trace, const Tables &tables) {
  std::vector<uint64_t> ids;
  const auto add = [&](const culprit_trace_event &event) {
    if (is_point(event))
      ids.push_back(tables.site(event.site)->id);
  };
  for (size_t i = trace.size() - trace.size() / 5; i < trace.size(); ++i)
    add(trace[i]);
  if (const auto last = std::find_if(trace.rbegin(), trace.rend(), is_point); last != trace.rend())
    add(*last);
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

} // namespace culprit::explain
