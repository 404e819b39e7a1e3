// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See switching.h.
#include "engine/explain/switching.h"

#include "engine/explain/endless.h"
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
  made.request.runtime_options.emplace_back("switched_way", std::to_string(switched.way));
  return made;
}

namespace {

// Executes the run with branches decided otherwise.
class Search {
public:
  Search(const Run &failing, const SwitchOptions &options, std::chrono::milliseconds patience)
      : failing_(failing), options_(options), patience_(patience) {}

  // Does it pass so?
  Result<bool> passes_with(const Switched &candidate) {
    Run run = with_switch(failing_, candidate);
    run.request.program = failing_.target.program();
    run.request.limits.timeout = patience_;
    ++tries_;
    if (options_.on_try)
      options_.on_try();
    auto outcome = launch::run(run.request);
    if (!outcome)
      return std::unexpected(outcome.error());
    if (outcome->status.ending == launch::Ending::cancelled)
      return fail("interrupted");
    return passes(*outcome, options_);
  }

  bool is_over() const {
    return tries_ >= options_.tries || std::chrono::steady_clock::now() >= options_.deadline;
  }
  size_t tries() const { return tries_; }

private:
  const Run &failing_;
  const SwitchOptions &options_;
  std::chrono::milliseconds patience_;
  size_t tries_ = 0;
};

} // namespace

Result<SwitchSearch> find_switch(const Run &failing, const SwitchOptions &options) {
  auto endless = is_endless(failing);
  if (!endless)
    return std::unexpected(endless.error());
  auto traced =
      failing.target.trace(failing.request, options.scratch, *endless ? events_of_endless(0) : 0);
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
      *endless ? failing.request.limits.timeout
               : std::max(kLeastPatience, std::chrono::duration_cast<std::chrono::milliseconds>(
                                              traced->outcome.wall * 10));
  std::optional<Switched> found;
  Search search(failing, options, patience);
  for (size_t i = trace.size(); i-- > 0 && !(found && options.oracle.empty());) {
    if (!is_point(trace[i]))
      continue;
    const Site &site = *tables.site(trace[i].site);
    for (unsigned way = 0; way < site.ways && !search.is_over(); ++way) {
      const Switched candidate{.index = trace[i].index, .way = way, .at = site.at};
      auto good = search.passes_with(candidate);
      if (!good)
        return std::unexpected(good.error());
      if (!*good)
        continue;
      found = candidate;
      found->instance = instance_of(trace, i);
      break;
    }
    if (search.is_over())
      break;
  }
  if (found)
    found->tries = search.tries();
  return SwitchSearch{std::move(found), search.tries(), search.is_over()};
}

} // namespace culprit::explain
