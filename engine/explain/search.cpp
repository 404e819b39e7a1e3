// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See search.h.
#include "engine/explain/search.h"

#include "engine/explain/replacement.h"
#include "engine/launch/repeat.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/wait.h>

namespace culprit::explain {
namespace {

size_t instance_of(const Trace &trace, size_t position) {
  size_t instance = 0;
  for (size_t i = 0; i <= position; ++i)
    instance += is_point(trace[i]) && trace[i].site == trace[position].site ? 1 : 0;
  return instance;
}

std::optional<Location> next_point(const Trace &trace, size_t position, const Tables &tables) {
  for (size_t i = position + 1; i < trace.size(); ++i)
    if (is_point(trace[i]))
      return tables.site(trace[i].site)->at;
  return std::nullopt;
}

std::optional<Location> last_point(const Trace &trace, const Tables &tables) {
  const auto last = std::ranges::find_if(trace.rbegin(), trace.rend(), is_point);
  return last == trace.rend() ? std::nullopt : std::optional(tables.site(last->site)->at);
}

std::optional<Divergence> find_divergence(const Compared &compared, const Run &a, const Run &b) {
  const Alignment &alignment = compared.alignment;
  if (alignment.control_flow.part == alignment.control_flow.whole || alignment.common == 0)
    return std::nullopt;
  const Alignment::Pair last = alignment.points[alignment.common - 1];
  return Divergence{
      .at = b.target.tables().site(compared.b.trace[last.b].site)->at,
      .instance = instance_of(compared.b.trace, last.b),
      .next_a = next_point(compared.a.trace, last.a, a.target.tables()),
      .next_b = next_point(compared.b.trace, last.b, b.target.tables()),
  };
}

// A run that does something else each time cannot be compared with another.
Result<Execution> trace_twice(const Run &run, const std::filesystem::path &scratch) {
  auto first = run.target.trace(run.request, scratch);
  if (!first)
    return first;
  auto second = run.target.trace(run.request, scratch);
  if (!second)
    return second;
  std::string difference = launch::first_difference(first->outcome, second->outcome);
  const auto same_point = [](const culprit_trace_event &x, const culprit_trace_event &y) {
    return x.kind == y.kind && x.index == y.index;
  };
  if (difference.empty() && !std::ranges::equal(first->trace, second->trace, same_point))
    difference = "two executions take different ways";
  if (!difference.empty())
    return fail(fmt::format("not repeatable: {}", difference),
                "what a run does must depend on its input alone");
  return first;
}

// Two ends are the same if the program would be said to have ended in the same way: crashed by the
// same signal in the same statement, or ended with the same code and the same output.
struct SameEnd {
  const Tables &passing; // of the run that is tested
  const Tables &failing;

  bool operator()(const End &tested, const End &other, const Tables &tables) const {
    if (tested.how != other.how || tested.status != other.status)
      return false;
    if (tested.how != End::How::ended)
      return false; // of what does not end nobody knows how it would
    if (WIFSIGNALED(tested.status)) {
      const Site *x = passing.site(tested.site);
      const Site *y = tables.site(other.site);
      return x != nullptr && y != nullptr && x->id == y->id;
    }
    return tested.out == other.out && tested.err == other.err;
  }
};

class StoppedPair : public Point {
public:
  static Result<std::unique_ptr<Point>> open(const Run &passing, const Run &failing, uint64_t index,
                                             std::chrono::milliseconds patience,
                                             const std::filesystem::path &scratch) {
    auto left = passing.target.stop(passing.request, index, scratch, patience);
    if (!left)
      return std::unexpected(left.error());
    auto right = failing.target.stop(failing.request, index, scratch, patience);
    if (!right)
      return std::unexpected(right.error());
    auto passed = (*left)->test({});
    if (!passed)
      return std::unexpected(passed.error());
    auto failed = (*right)->test({});
    if (!failed)
      return std::unexpected(failed.error());
    std::unique_ptr<StoppedPair> pair(
        new StoppedPair(passing.target.tables(), failing.target.tables()));
    pair->passing_ = std::move(*left);
    pair->failing_ = std::move(*right);
    pair->passed_ = std::move(*passed);
    pair->failed_ = std::move(*failed);
    for (const Difference &each : compare(pair->target(), pair->source()))
      if (is_replaceable(each, pair->target(), pair->source()))
        pair->differences_.push_back(each);
    return pair;
  }

  bool ends_differ() const override { return !same_end_(passed_, failed_, same_end_.failing); }
  const std::vector<Difference> &differences() const override { return differences_; }

  Result<Verdict> test(const Subset &subset) override {
    std::vector<Difference> chosen;
    for (const size_t each : subset)
      chosen.push_back(differences_[each]);
    auto end = passing_->test(make_patch(chosen, target(), source()));
    if (!end)
      return std::unexpected(end.error());
    if (same_end_(*end, failed_, same_end_.failing))
      return Verdict::fails;
    return same_end_(*end, passed_, same_end_.passing) ? Verdict::passes : Verdict::unresolved;
  }

  const Snapshot &target() const { return passing_->snapshot(); }
  const Snapshot &source() const { return failing_->snapshot(); }

private:
  StoppedPair(const Tables &passing, const Tables &failing) : same_end_{passing, failing} {}

  SameEnd same_end_;
  std::unique_ptr<Stopped> passing_;
  std::unique_ptr<Stopped> failing_;
  End passed_;
  End failed_;
  std::vector<Difference> differences_;
};

// From the line on in which they differ.
std::string from_difference(const std::string &text, const std::string &other) {
  const auto [here, there] = std::ranges::mismatch(text, other);
  const size_t at = static_cast<size_t>(here - text.begin());
  const size_t line = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return text.substr(line == std::string::npos ? 0 : line + 1);
}

Failure failure_of(const Compared &compared, const Run &failing) {
  const launch::Outcome &passed = compared.a.outcome;
  const launch::Outcome &failed = compared.b.outcome;
  Failure failure{.status = failed.status, .at = {}, .output = {}, .expected_output = {}};
  if (failed.status.ending == launch::Ending::signalled)
    failure.at = last_point(compared.b.trace, failing.target.tables());
  if (failed.out != passed.out) {
    failure.output = from_difference(failed.out, passed.out);
    failure.expected_output = from_difference(passed.out, failed.out);
  } else if (failed.err != passed.err) {
    failure.output = from_difference(failed.err, passed.err);
    failure.expected_output = from_difference(passed.err, failed.err);
  }
  return failure;
}

std::chrono::milliseconds patience_for(const Compared &compared) {
  constexpr std::chrono::milliseconds kLeast{1000};
  const auto longest = std::max(compared.a.outcome.wall, compared.b.outcome.wall);
  return std::max(kLeast, std::chrono::duration_cast<std::chrono::milliseconds>(longest * 10));
}

} // namespace

Result<Compared> trace_both(const Run &a, const Run &b, const std::filesystem::path &scratch) {
  auto first = trace_twice(a, scratch);
  if (!first)
    return std::unexpected(first.error());
  auto second = trace_twice(b, scratch);
  if (!second)
    return std::unexpected(second.error());
  Compared compared{std::move(*first), std::move(*second), {}, {}};
  compared.alignment = align(compared.a.trace, compared.b.trace);
  compared.divergence = find_divergence(compared, a, b);
  return compared;
}

Result<Explanation> explain(const Run &passing, const Run &failing, const SearchOptions &options) {
  const auto start = std::chrono::steady_clock::now();
  auto compared = trace_both(passing, failing, options.scratch);
  if (!compared)
    return std::unexpected(compared.error());
  Explanation explanation;
  explanation.failure = failure_of(*compared, failing);
  explanation.divergence = compared->divergence;
  if (launch::first_difference(compared->a.outcome, compared->b.outcome).empty()) {
    explanation.irreproducible = "both runs end in the same way, with the same output";
    return explanation;
  }
  const Alignment &alignment = compared->alignment;
  const Trace &trace = compared->b.trace;
  const auto patience = patience_for(*compared);
  const ChainRuns runs{
      .passing = compared->a.trace,
      .failing = trace,
      .alignment = alignment,
      .open =
          [&](size_t pair) {
            return StoppedPair::open(passing, failing, trace[alignment.points[pair].b].index,
                                     patience, options.scratch);
          },
      .on_step =
          [&](const Point &point, const Step &step) {
            const auto &both = static_cast<const StoppedPair &>(point);
            const Naming naming({both.target(), passing.target.tables()},
                                {both.source(), failing.target.tables()});
            const size_t position = alignment.points[step.pair].b;
            Transition transition{.at = failing.target.tables().site(trace[position].site)->at,
                                  .instance = instance_of(trace, position),
                                  .variables = naming.describe(step.cause),
                                  .parts = step.pair + 1 == alignment.common &&
                                           explanation.divergence.has_value()};
            explanation.transitions.push_back(std::move(transition));
            if (options.on_step)
              options.on_step(explanation.transitions.size(), explanation.chain.tests);
          },
  };
  auto chain = follow_chain(runs, options.limits);
  if (!chain)
    return std::unexpected(chain.error());
  explanation.chain = std::move(*chain);
  std::ranges::reverse(explanation.transitions);
  explanation.wall = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  return explanation;
}

} // namespace culprit::explain
