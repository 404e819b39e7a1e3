// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See switching.h.
#include "engine/explain/switching.h"

#include "engine/explain/judge.h"

namespace culprit::explain {
namespace {

constexpr std::chrono::milliseconds kLeastPatience{1000};

Result<bool> passes(const launch::Outcome &outcome, const SwitchOptions &options) {
  if (options.oracle.empty())
    return outcome.status.success();
  auto verdict =
      ask_oracle(options.oracle, {outcome.status, outcome.out, outcome.err}, options.scratch);
  if (!verdict)
    return std::unexpected(verdict.error());
  return *verdict == Verdict::passes;
}

} // namespace

Run with_switch(const Run &run, const Switched &switched) {
  Run made{run.target, run.request};
  made.request.runtime_options.emplace_back("switched", std::to_string(switched.index));
  return made;
}

Result<std::optional<Switched>> find_switch(const Run &failing, const SwitchOptions &options) {
  auto traced = failing.target.trace(failing.request, options.scratch);
  if (!traced)
    return std::unexpected(traced.error());
  if (auto good = passes(traced->outcome, options); !good || *good)
    return good ? fail("the failure does not reproduce: the run passes",
                       "is --fail a case that fails? Without --oracle one fails that does not exit "
                       "with 0")
                : std::unexpected(good.error());
  const Trace &trace = traced->trace;
  const Tables &tables = failing.target.tables();
  const auto patience =
      std::max(kLeastPatience,
               std::chrono::duration_cast<std::chrono::milliseconds>(traced->outcome.wall * 10));
  std::optional<Switched> found;
  size_t tries = 0;
  for (size_t i = trace.size(); i-- > 0 && tries < options.tries;) {
    if (!is_point(trace[i]) || !tables.site(trace[i].site)->decides)
      continue;
    if (std::chrono::steady_clock::now() >= options.deadline)
      break;
    Switched candidate{.index = trace[i].index, .at = tables.site(trace[i].site)->at};
    Run run = with_switch(failing, candidate);
    run.request.program = failing.target.program();
    run.request.limits.timeout = patience;
    ++tries;
    if (options.on_try)
      options.on_try();
    auto outcome = launch::run(run.request);
    if (!outcome)
      return std::unexpected(outcome.error());
    if (outcome->status.ending == launch::Ending::cancelled)
      return fail("interrupted");
    auto good = passes(*outcome, options);
    if (!good)
      return std::unexpected(good.error());
    if (!*good)
      continue;
    candidate.instance = instance_of(trace, i);
    found = std::move(candidate);
    if (options.oracle.empty())
      break;
  }
  if (found)
    found->tries = tries;
  return found;
}

} // namespace culprit::explain
