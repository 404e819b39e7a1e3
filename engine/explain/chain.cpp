// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See chain.h.
#include "engine/explain/chain.h"

#include "engine/explain/next_use.h"

#include <algorithm>
#include <optional>

namespace culprit::explain {
namespace {

constexpr const char *kLimit = "the limit of steps, tests or time is reached";

// The last write before `end` to any of the places; nothing: there is none.
std::optional<size_t> last_write(const Trace &trace, size_t end,
                                 const std::vector<Difference> &places) {
  for (size_t i = end; i-- > 0;) {
    const culprit_trace_event &event = trace[i];
    if (!writes(event))
      continue;
    const bool hit = std::ranges::any_of(places, [&](const Difference &place) {
      return event.index == place.at.region &&
             (place.size == 0 || (event.offset < place.at.offset + place.size &&
                                  place.at.offset < event.offset + event.size));
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
    auto walked = walk();
    const bool stopped = limits_.stop.stop_requested();
    if (!walked && !stopped)
      return std::unexpected(walked.error());
    if (stopped)
      end_early("it was interrupted");
    return std::move(chain_);
  }

private:
  const std::vector<Alignment::Pair> &pairs() const { return runs_.alignment.points; }

  Result<void> walk() {
    auto last = last_differing();
    if (!last)
      return std::unexpected(last.error());
    if (!*last && !chain_.partial)
      chain_.reason = "no point was found before which the two runs are to end differently";
    std::optional<size_t> next = *last;
    while (next) {
      if (is_exhausted()) {
        end_early(kLimit);
        break;
      }
      auto step = resolve_near(*next);
      if (!step)
        return std::unexpected(step.error());
      if (!*step)
        break;
      auto before = point_before(chain_.steps.back());
      if (!before)
        return std::unexpected(before.error());
      next = *before;
      if (!next)
        chain_.reason = "nobody wrote these values before: they came with the input";
    }
    return tell_origin();
  }

  // What was found until then is kept.
  void end_early(const char *reason) {
    chain_.partial = true;
    chain_.reason = reason;
  }

  // A point of one pair; null: it is out of reach.
  Result<std::unique_ptr<Point>> open(size_t pair) {
    auto point = runs_.open(pair);
    if (point && *point)
      count_tests(2); // what both do without a change
    else if (point)
      ++chain_.out_of_reach;
    return point;
  }

  struct Opened {
    size_t pair = 0;
    std::unique_ptr<Point> point = {}; // null: all that were tried are out of reach
  };
  // The pair in the middle, or one near it.
  Result<Opened> open_within(size_t low, size_t high) {
    const size_t middle = low + (high - low) / 2;
    std::vector<size_t> candidates = {middle};
    for (size_t away = 1; away <= middle - low; away *= 2)
      candidates.push_back(middle - away);
    for (size_t away = 1; away < high - middle; away *= 2)
      candidates.push_back(middle + away);
    for (const size_t pair : candidates) {
      auto point = open(pair);
      if (!point)
        return std::unexpected(point.error());
      if (*point)
        return Opened{pair, std::move(*point)};
    }
    return Opened{};
  }

  // The last one up to this that is not out of reach: back in leaps, then on again by halves.
  Result<Opened> open_at_or_before(size_t pair) {
    Opened best;
    size_t high = pair + 1; // out of reach from here on
    for (size_t away = 1; !best.point && high > 0; away *= 2) {
      const size_t next = high > away ? high - away : 0;
      auto point = open(next);
      if (!point)
        return std::unexpected(point.error());
      if (*point)
        best = {next, std::move(*point)};
      else
        high = next;
    }
    while (best.point && best.pair + 1 < high) {
      const size_t middle = best.pair + (high - best.pair) / 2;
      auto point = open(middle);
      if (!point)
        return std::unexpected(point.error());
      if (*point)
        best = {middle, std::move(*point)};
      else
        high = middle;
    }
    return best;
  }

  // Of a property that points have up to some point and not behind it: how many have it.
  template <typename Property> Result<size_t> bisect(size_t high, const Property &has) {
    size_t low = 0;
    while (low < high && !is_exhausted()) {
      auto opened = open_within(low, high);
      if (!opened)
        return std::unexpected(opened.error());
      if (!opened->point)
        break;
      if (has(*opened->point))
        low = opened->pair + 1;
      else
        high = opened->pair;
    }
    return low;
  }

  // "They will end differently" is true up to some point and false behind it.
  Result<std::optional<size_t>> last_differing() {
    auto count = bisect(pairs().size(), [](const Point &point) { return point.ends_differ(); });
    if (!count)
      return std::unexpected(count.error());
    if (is_exhausted()) {
      end_early(kLimit);
      return std::nullopt;
    }
    return *count == 0 ? std::nullopt : std::optional(*count - 1);
  }

  // Adds a step at this point or at one of those just before it. False: the chain ends here.
  Result<bool> resolve_near(size_t pair) {
    for (size_t attempt = 0; attempt < limits_.attempts; ++attempt) {
      auto opened = open_at_or_before(pair);
      if (!opened)
        return std::unexpected(opened.error());
      const std::unique_ptr<Point> &point = opened->point;
      if (!point) {
        chain_.reason = "before that the program has several threads";
        return false;
      }
      pair = opened->pair;
      const size_t count = point->differences().size();
      chain_.most_differences = std::max(chain_.most_differences, count);
      if (count == 0) {
        chain_.reason = "nothing differs before that";
        return false;
      }
      auto resolved = resolve(*point, pair);
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
    const auto test = [&](const std::vector<Subset> &subsets) {
      count_tests(subsets.size());
      auto verdicts = point.test(subsets);
      if (!verdicts && !error)
        error = verdicts.error();
      if (!verdicts)
        return std::vector<Verdict>(subsets.size(), Verdict::unresolved);
      chain_.unresolved += static_cast<size_t>(std::ranges::count(*verdicts, Verdict::unresolved));
      return std::move(*verdicts);
    };
    const size_t count = point.differences().size();
    Subset all(count);
    for (size_t i = 0; i < count; ++i)
      all[i] = i;
    const bool fails = test({all})[0] == Verdict::fails;
    Subset cause;
    if (fails) {
      const Subset near = nearest(point, pair, test);
      const auto test_near = [&](const std::vector<Subset> &subsets) {
        return test(of_these(near, subsets));
      };
      const Subset least =
          minimize(near.size(), test_near,
                   {.width = limits_.width, .enough = [&] { return error || is_exhausted(); }});
      cause = of_these(near, {least}).front();
    }
    if (error)
      return std::unexpected(*error);
    if (!fails)
      return false;
    if (is_exhausted()) // perhaps before the cause was as small as can be
      chain_.partial = true;
    Step step{.pair = pair};
    for (const size_t each : cause)
      step.cause.push_back(point.differences()[each]);
    if (runs_.on_step)
      runs_.on_step(point, step);
    chain_.steps.push_back(std::move(step));
    return true;
  }

  // Positions of positions.
  static std::vector<Subset> of_these(const Subset &these, const std::vector<Subset> &subsets) {
    std::vector<Subset> all = subsets;
    for (Subset &subset : all)
      for (size_t &each : subset)
        each = these[each];
    return all;
  }

  // Of all differences, which are known to make the run fail, those that it uses first, as many as
  // that takes: one, two, four and so on are tried.
  Subset nearest(const Point &point, size_t pair, const Tests &test) {
    const Subset order = by_next_use(point.differences(), runs_.failing, pairs()[pair].b);
    for (size_t count = 1; count < order.size() && !is_exhausted(); count *= 2) {
      Subset near(order.begin(), order.begin() + static_cast<ptrdiff_t>(count));
      std::ranges::sort(near);
      if (test({near})[0] == Verdict::fails)
        return near;
    }
    Subset all = order;
    std::ranges::sort(all);
    return all;
  }

  struct Writes {
    std::optional<size_t> passing; // positions in the traces
    std::optional<size_t> failing;
  };
  Writes last_writes(const Step &step) const {
    const Alignment::Pair here = pairs()[step.pair];
    return {last_write(runs_.passing, here.a, step.cause),
            last_write(runs_.failing, here.b, step.cause)};
  }

  // Where to go on from a step; nothing: there is no earlier point.
  Result<std::optional<size_t>> point_before(const Step &step) {
    const Writes writes = last_writes(step);
    for (size_t pair = step.pair; pair-- > 0;)
      if ((writes.passing && pairs()[pair].a < *writes.passing) ||
          (writes.failing && pairs()[pair].b < *writes.failing))
        return pair;
    return last_without(step);
  }

  // Code that nobody has seen (a library, the kernel) wrote these values: between the last point at
  // which none of them differs and the next.
  Result<std::optional<size_t>> last_without(const Step &step) {
    // Two inputs differ from the start; who is asked for is the one that made something of them.
    std::vector<Difference> sought = step.cause;
    if (std::ranges::any_of(sought, [](const Difference &each) { return each.size != 0; }))
      std::erase_if(sought, [](const Difference &each) { return each.size == 0; });
    auto count = bisect(step.pair, [&](const Point &point) {
      return std::ranges::none_of(point.differences(), [&](const Difference &each) {
        return std::ranges::find(sought, each) != sought.end();
      });
    });
    if (!count)
      return std::unexpected(count.error());
    return *count == 0 ? std::nullopt : std::optional(*count - 1);
  }

  // The first step once more, as near behind what made its values as it can be shown.
  Result<void> tell_origin() {
    if (chain_.steps.empty() || is_exhausted())
      return {};
    const Step &first = chain_.steps.back();
    const Writes writes = last_writes(first);
    if (!writes.passing && !writes.failing)
      return {};
    const auto behind = [](const std::optional<size_t> &write, size_t point) {
      return !write || point > *write;
    };
    const auto origin = std::ranges::find_if(pairs(), [&](const Alignment::Pair &pair) {
      return behind(writes.passing, pair.a) && behind(writes.failing, pair.b);
    });
    const auto pair = static_cast<size_t>(origin - pairs().begin());
    if (pair >= first.pair)
      return {};
    auto point = open(pair);
    if (!point)
      return std::unexpected(point.error());
    if (!*point)
      return {};
    auto resolved = resolve(**point, pair);
    return resolved ? Result<void>() : std::unexpected(resolved.error());
  }

  void count_tests(size_t more) {
    chain_.tests += more;
    if (runs_.on_tests)
      runs_.on_tests(more);
  }

  bool is_exhausted() const {
    return limits_.stop.stop_requested() || chain_.steps.size() >= limits_.steps ||
           chain_.tests >= limits_.tests || std::chrono::steady_clock::now() >= limits_.deadline;
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
