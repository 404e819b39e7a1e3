// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See mutation.h.
#include "engine/explain/mutation.h"

#include "engine/explain/difference.h"
#include "engine/explain/replacement.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::explain {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kPatience{60};

// A run that stands at a point, and what it does from there on.
class Mutable {
public:
  static Result<Mutable> stop(const Run &run, uint64_t index, const fs::path &scratch,
                              const char *name, const Snapshot *roomy_for = nullptr) {
    Mutable made{.trace = scratch / name, .sites = run.target.tables().sites.size(), .stopped = {}};
    launch::Request request = run.request;
    request.runtime_options.emplace_back("test_trace", made.trace.string());
    auto stopped =
        run.target.stop(std::move(request), index,
                        {.scratch = scratch, .patience = kPatience, .roomy_for = roomy_for});
    if (!stopped)
      return std::unexpected(stopped.error());
    made.stopped = std::move(*stopped);
    return made;
  }

  Result<Trace> go_on(std::string patch) const {
    std::error_code ignored;
    fs::remove(trace, ignored);
    if (auto end = stopped->test({std::move(patch)}); !end)
      return std::unexpected(end.error());
    return read_trace(trace, sites);
  }

  fs::path trace;
  size_t sites;
  std::unique_ptr<Stopped> stopped;
};

Result<Mutation> mutate_at(const Run &a, const Run &b, uint64_t index, const fs::path &scratch) {
  auto right = Mutable::stop(b, index, scratch, "right.trace");
  if (!right)
    return std::unexpected(right.error());
  auto left = Mutable::stop(a, index, scratch, "left.trace", &right->stopped->snapshot());
  if (!left)
    return std::unexpected(left.error());
  const Snapshot &target = left->stopped->snapshot();
  const Snapshot &source = right->stopped->snapshot();
  const std::vector<Difference> all = compare(target, source);
  std::vector<Difference> taken;
  std::ranges::copy_if(all, std::back_inserter(taken), [&](const Difference &each) {
    return is_replaceable(each, target, source);
  });
  auto mutated = left->go_on(make_patch(taken, target, source));
  if (!mutated)
    return std::unexpected(mutated.error());
  auto meant = right->go_on({});
  if (!meant)
    return std::unexpected(meant.error());
  const Alignment alignment = align(*mutated, *meant);
  return Mutation{.at = {},
                  .differences = taken.size(),
                  .left = all.size() - taken.size(),
                  .control_flow = alignment.control_flow,
                  .heap = alignment.heap_by_index};
}

} // namespace

std::vector<size_t> spread_points(const Alignment &alignment, size_t wanted) {
  const size_t count = alignment.points.size();
  const size_t first = alignment.common >= count ? 0 : std::max<size_t>(alignment.common, 1) - 1;
  std::vector<size_t> chosen;
  for (size_t i = 0; i < wanted; ++i) {
    const size_t pair = first + (count - first) * i / wanted;
    if (pair < count && (chosen.empty() || chosen.back() != pair))
      chosen.push_back(pair);
  }
  return chosen;
}

Result<std::vector<Mutation>> mutate(const Run &a, const Run &b, const Compared &compared,
                                     size_t points, const fs::path &scratch) {
  std::vector<Mutation> found;
  for (const size_t pair : spread_points(compared.alignment, points)) {
    const culprit_trace_event &point = compared.b.trace[compared.alignment.points[pair].b];
    auto mutation = mutate_at(a, b, point.index, scratch);
    if (!mutation)
      return std::unexpected(mutation.error());
    mutation->at = b.target.tables().site(point.site)->at;
    found.push_back(std::move(*mutation));
  }
  return found;
}

} // namespace culprit::explain
