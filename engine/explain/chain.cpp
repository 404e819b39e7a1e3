// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See chain.h.
#include "engine/explain/chain.h"

#include <algorithm>
#include <optional>

namespace culprit::explain {
namespace {

// The last write before `end` to any of the places; nothing: there is none.
std::optional<size_t> last_write(const Trace &trace, size_t end,
                                 const std::vector<Difference> &places) {
  for (size_t i = end; i-- > 0;) {
    const culprit_trace_event &event = trace[i];
    if (!writes(event))
      continue;
    const bool hit = std::ranges::any_of(places, [&](const Difference &place) {
      return event.index == place.at.region && event.offset < place.at.offset + place.size &&
             place.at.offset < event.offset + event.size;
    });
    if (hit)
      return i;
  }
  return std::nullopt;
}

class Follower {
public:
  Follower(const ChainRuns &runs, const ChainLimits &limits) : runs_(runs), limits_(limits) {}

  Result<Chain> follow() {
    auto last = last_differing();
    if (!last)
      return std::unexpected(last.error());
    if (!*last) {
      chain_.reason = "no point was found before which the two runs are to end differently";
      return std::move(chain_);
    }
    std::optional<size_t> next = *last;
    while (next) {
      if (chain_.steps.size() >= limits_.steps || chain_.tests >= limits_.tests) {
        chain_.reason = "the limit of steps or tests is reached";
        break;
      }
      auto step = resolve_near(*next);
      if (!step)
        return std::unexpected(step.error());
      if (!*step)
        break;
      next = point_before_writes(chain_.steps.back());
      if (!next)
        chain_.reason = "nobody wrote these values before: they came with the input";
    }
    return std::move(chain_);
  }

private:
  const std::vector<Alignment::Pair> &pairs() const { return runs_.alignment.points; }

  // "They will end differently" is true up to some point and false behind it.
  Result<std::optional<size_t>> last_differing() {
    size_t low = 0; // differs before this
    size_t high = pairs().size();
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      auto point = runs_.open(middle);
      if (!point)
        return std::unexpected(point.error());
      chain_.tests += 2; // what both do without a change
      if ((*point)->ends_differ())
        low = middle + 1;
      else
        high = middle;
    }
    return low == 0 ? std::nullopt : std::optional(low - 1);
  }

  // Adds a step at this point or at one of those just before it. False: the chain ends here.
  Result<bool> resolve_near(size_t pair) {
    for (size_t attempt = 0; attempt < limits_.attempts; ++attempt) {
      auto point = runs_.open(pair);
      if (!point)
        return std::unexpected(point.error());
      chain_.tests += 2;
      const size_t count = (*point)->differences().size();
      chain_.most_differences = std::max(chain_.most_differences, count);
      if (count == 0) {
        chain_.reason = "nothing differs before that";
        return false;
      }
      auto resolved = resolve(**point, pair);
      if (!resolved || *resolved)
        return resolved;
      if (pair-- == 0)
        break;
    }
    chain_.reason = "taking over all differences does not make the passing run fail there";
    return false;
  }

  Result<bool> resolve(Point &point, size_t pair) {
    std::optional<Error> error;
    const auto test = [&](const Subset &subset) {
      ++chain_.tests;
      auto verdict = point.test(subset);
      if (!verdict && !error)
        error = verdict.error();
      return verdict.value_or(Verdict::unresolved);
    };
    const size_t count = point.differences().size();
    Subset all(count);
    for (size_t i = 0; i < count; ++i)
      all[i] = i;
    const bool fails = test(all) == Verdict::fails;
    Subset cause;
    if (fails)
      cause = minimize(count, test, [&] { return error || chain_.tests >= limits_.tests; });
    if (error)
      return std::unexpected(*error);
    if (!fails)
      return false;
    Step step{.pair = pair};
    for (const size_t each : cause)
      step.cause.push_back(point.differences()[each]);
    if (runs_.on_step)
      runs_.on_step(point, step);
    chain_.steps.push_back(std::move(step));
    return true;
  }

  std::optional<size_t> point_before_writes(const Step &step) const {
    const Alignment::Pair here = pairs()[step.pair];
    const auto in_passing = last_write(runs_.passing, here.a, step.cause);
    const auto in_failing = last_write(runs_.failing, here.b, step.cause);
    for (size_t pair = step.pair; pair-- > 0;)
      if ((in_passing && pairs()[pair].a < *in_passing) ||
          (in_failing && pairs()[pair].b < *in_failing))
        return pair;
    return std::nullopt;
  }

  const ChainRuns &runs_;
  const ChainLimits &limits_;
  Chain chain_;
};

} // namespace

Result<Chain> follow_chain(const ChainRuns &runs, const ChainLimits &limits) {
  return Follower(runs, limits).follow();
}

} // namespace culprit::explain
