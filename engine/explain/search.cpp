// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See search.h.
#include "engine/explain/search.h"

#include "engine/explain/endless.h"
#include "engine/launch/repeat.h"

#include <algorithm>
#include <fmt/format.h>

namespace culprit::explain {
namespace {

bool is_users(const Location &at) { return !at.file.starts_with(kSystemFiles); }

std::optional<Location> next_point(const Trace &trace, size_t position, const Tables &tables) {
  for (size_t i = position + 1; i < trace.size(); ++i)
    if (is_point(trace[i]))
      return tables.site(trace[i].site)->at;
  return std::nullopt;
}

std::optional<Location> next_users_point(const Trace &trace, size_t position,
                                         const Tables &tables) {
  for (size_t i = position + 1; i < trace.size(); ++i)
    if (is_point(trace[i]) && is_users(tables.site(trace[i].site)->at))
      return tables.site(trace[i].site)->at;
  return std::nullopt;
}

// Of the user's code, if there is one: a crash inside a header of the system is the statement's
// that went there.
std::optional<Location> last_point(const Trace &trace, const Tables &tables) {
  const auto at = [&](const culprit_trace_event &event) { return tables.site(event.site)->at; };
  auto last = std::find_if(trace.rbegin(), trace.rend(), [&](const culprit_trace_event &event) {
    return is_point(event) && is_users(at(event));
  });
  if (last == trace.rend())
    last = std::find_if(trace.rbegin(), trace.rend(), is_point);
  return last == trace.rend() ? std::nullopt : std::optional(at(*last));
}

Divergence divergence_at(const Compared &compared, const Alignment::Pair &last, const Run &a,
                         const Run &b) {
  return {
      .at = b.target.tables().site(compared.b.trace[last.b].site)->at,
      .instance = instance_of(compared.b.trace, last.b),
      .next_a = next_point(compared.a.trace, last.a, a.target.tables()),
      .next_b = next_point(compared.b.trace, last.b, b.target.tables()),
  };
}

// The last point that both have in common. If that is inside a header of the system: the user's
// statement that went there, and where in the user's code the two go on, unless that is the same.
std::optional<Divergence> find_divergence(const Compared &compared, const Run &a, const Run &b) {
  const Alignment &alignment = compared.alignment;
  if (alignment.control_flow.part == alignment.control_flow.whole || alignment.common == 0)
    return std::nullopt;
  const Tables &tables = b.target.tables();
  const Alignment::Pair last = alignment.points[alignment.common - 1];
  Divergence exact = divergence_at(compared, last, a, b);
  if (is_users(exact.at))
    return exact;
  size_t users = alignment.common;
  while (users > 0 &&
         !is_users(tables.site(compared.b.trace[alignment.points[users - 1].b].site)->at))
    --users;
  if (users == 0)
    return exact;
  Divergence told = divergence_at(compared, alignment.points[users - 1], a, b);
  told.next_a = next_users_point(compared.a.trace, last.a, a.target.tables());
  told.next_b = next_users_point(compared.b.trace, last.b, tables);
  return told.next_a == told.next_b ? exact : told;
}

// A run that does something else each time cannot be compared with another, which has so many
// events.
Result<Execution> trace_twice(const Run &run, size_t other_events,
                              const std::filesystem::path &scratch) {
  auto endless = is_endless(run);
  if (!endless)
    return std::unexpected(endless.error());
  const size_t most = *endless ? events_of_endless(other_events) : 0;
  auto first = run.target.trace(run.request, scratch, most);
  if (!first)
    return first;
  auto second = run.target.trace(run.request, scratch, most);
  if (!second)
    return second;
  if (first->is_endless() && second->is_endless()) { // nobody knows how far each came
    const size_t both = std::min(first->trace.size(), second->trace.size());
    first->trace = first->trace.first(both);
    second->trace = second->trace.first(both);
  }
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
  if (failed.status.ending == launch::Ending::signalled || compared.b.is_endless())
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

// Empty: there is a failure to explain.
Result<std::string> why_irreproducible(const Compared &compared, const SearchOptions &options) {
  if (launch::first_difference(compared.a.outcome, compared.b.outcome).empty())
    return "both runs end in the same way, with the same output";
  if (compared.a.is_endless())
    return "the passing run does not end within the time limit";
  if (options.oracle.empty())
    return std::string();
  const auto ask = [&](const launch::Outcome &outcome) {
    return ask_oracle(options.oracle, {outcome.status, outcome.out, outcome.err}, options.scratch);
  };
  auto passing = ask(compared.a.outcome);
  if (!passing)
    return std::unexpected(passing.error());
  auto failing = ask(compared.b.outcome);
  if (!failing)
    return std::unexpected(failing.error());
  if (*passing != Verdict::passes)
    return "the oracle does not say of the passing run that it passes (exit code 0)";
  if (*failing != Verdict::fails)
    return "the oracle does not say of the failing run that it fails (exit code 1)";
  return std::string();
}

// Points where a chain may have a step: those of the user's code. What happens inside a header of
// the system is told by what the statement that went there makes of it. (All, if there are no
// others.)
Alignment users_points(const Alignment &alignment, const Trace &trace, const Tables &tables) {
  Alignment users;
  std::ranges::copy_if(
      alignment.points, std::back_inserter(users.points),
      [&](const Alignment::Pair &pair) { return is_users(tables.site(trace[pair.b].site)->at); });
  return users.points.empty() ? alignment : users;
}

// The last of these points before the runs part; nothing: there is none.
std::optional<size_t> parting(const Alignment &all, const Alignment &users) {
  if (all.common == 0)
    return std::nullopt;
  const size_t last = all.points[all.common - 1].b;
  const auto behind = std::ranges::upper_bound(users.points, last, {}, &Alignment::Pair::b);
  return behind == users.points.begin()
             ? std::nullopt
             : std::optional(static_cast<size_t>(behind - users.points.begin()) - 1);
}

std::chrono::milliseconds patience_for(const Compared &compared) {
  // Every test that fails as a run without end is waited for to the last.
  const std::chrono::milliseconds least(compared.b.is_endless() ? 300 : 1000);
  const auto longest = compared.b.is_endless()
                           ? compared.a.outcome.wall
                           : std::max(compared.a.outcome.wall, compared.b.outcome.wall);
  return std::max(least, std::chrono::duration_cast<std::chrono::milliseconds>(longest * 10));
}

} // namespace

Result<Compared> trace_both(const Run &a, const Run &b, const std::filesystem::path &scratch) {
  auto first = trace_twice(a, 0, scratch);
  if (!first)
    return std::unexpected(first.error());
  auto second = trace_twice(b, first->trace.size(), scratch);
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
  auto irreproducible = why_irreproducible(*compared, options);
  if (!irreproducible)
    return std::unexpected(irreproducible.error());
  explanation.irreproducible = std::move(*irreproducible);
  if (!explanation.irreproducible.empty())
    return explanation;
  const Trace &trace = compared->b.trace;
  const Alignment alignment = users_points(compared->alignment, trace, failing.target.tables());
  const auto parted = parting(compared->alignment, alignment);
  const PairSettings settings{
      .patience = patience_for(*compared),
      .scratch = options.scratch,
      .changes_files = compared->a.changed_files || compared->b.changed_files,
      .endless = compared->b.is_endless() ? statements_at_end(trace, failing.target.tables())
                                          : std::vector<uint64_t>(),
      .alike = options.alike,
      .oracle = options.oracle,
      .passing_out = compared->a.outcome.out,
      .passing_err = compared->a.outcome.err};
  std::optional<Error> out_of_reach;
  const auto open = [&](size_t pair) -> Result<std::unique_ptr<Point>> {
    auto opened =
        StoppedPair::open(passing, failing, trace[alignment.points[pair].b].index, settings);
    if (!opened && opened.error().what == kSeveralThreads) {
      out_of_reach = opened.error();
      return nullptr;
    }
    if (!opened)
      return std::unexpected(opened.error());
    return std::move(*opened);
  };
  const auto on_step = [&](const Point &point, const Step &step) {
    const auto &both = static_cast<const StoppedPair &>(point);
    if (const PathCounts counts = both.count_by_path();
        counts.differences > explanation.by_path.differences)
      explanation.by_path = counts;
    const size_t position = alignment.points[step.pair].b;
    explanation.transitions.push_back(
        {.at = failing.target.tables().site(trace[position].site)->at,
         .instance = instance_of(trace, position),
         .variables = both.describe(step.cause),
         .parts = parted == step.pair && explanation.divergence.has_value()});
  };
  const ChainRuns runs{.passing = compared->a.trace,
                       .failing = trace,
                       .alignment = alignment,
                       .open = open,
                       .on_step = on_step,
                       .on_tests = options.on_tests};
  auto chain = follow_chain(runs, options.limits);
  if (!chain)
    return std::unexpected(chain.error());
  if (chain->steps.empty() && out_of_reach)
    return std::unexpected(*out_of_reach);
  explanation.chain = std::move(*chain);
  std::ranges::reverse(explanation.transitions);
  explanation.wall = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  return explanation;
}

} // namespace culprit::explain
