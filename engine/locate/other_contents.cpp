// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See other_contents.h.
#include "engine/locate/other_contents.h"

#include "abi/locate.h"

#include <algorithm>
#include <string>
#include <utility>

namespace culprit::locate {
namespace {

Result<Located> with_origins(const Target &target, const launch::Request &request,
                             const SearchOptions &options) {
  return iterate(target.tables(),
                 [&](const Targets &targets, const std::string &) {
                   return target.origins(request, targets, options.scratch);
                 },
                 {.executions = static_cast<unsigned>(options.settings.executions), .all = false});
}

void take_over_as(const Arrangement &order, Located &located, Located found) {
  for (Step &step : found.chain) {
    step.origins = true;
    step.layout = order.name;
  }
  take_over(located, std::move(found));
}

bool is_unwritten_variable(const Located &found) {
  if (found.outcome != Outcome::located || !found.findings.front().confirmed)
    return false;
  const Step &step = found.chain[found.findings.front().step];
  return step.error == ErrorKind::uninitialised_read && step.suspects.front().definition &&
         step.suspects.front().definition->kind == DefinitionKind::variable;
}

} // namespace

void take_over(Located &located, Located found) {
  const size_t before = located.chain.size();
  for (Step &step : found.chain) {
    step.execution += located.executions;
    located.chain.push_back(std::move(step));
  }
  if (found.quiet != 0)
    located.quiet = located.executions + found.quiet;
  located.executions += found.executions;
  located.findings = {found.findings.front()};
  located.findings.front().step += before;
  located.outcome = Outcome::located;
}

launch::Request with_contents_of(const Arrangement &order, launch::Request request) {
  if (order.contents != 0)
    request.runtime_options.emplace_back("contents", std::to_string(order.contents));
  return request;
}

Arrangement contents_named(std::string_view layout) {
  std::vector<Arrangement> all = with_other_contents();
  all.push_back(with_unwritten_locals());
  const auto found = std::ranges::find(all, layout, &Arrangement::name);
  return found != all.end() ? *found : Arrangement{};
}

Result<void> look_at_freed_reads(const Target &target, const launch::Request &request,
                                 const SearchOptions &options, Search &search) {
  const Arrangement order = with_other_contents().back();
  auto found = with_origins(target, with_contents_of(order, request), options);
  if (!found)
    return std::unexpected(found.error());
  const auto is_read = [](const Step &step) {
    return step.crash.numbers.kind == CULPRIT_CRASH_FREED_READ;
  };
  if (found->outcome == Outcome::located && std::ranges::all_of(found->chain, is_read))
    take_over_as(order, search.located, std::move(*found));
  return {};
}

Result<void> look_at_unwritten_locals(const Target &target, const launch::Request &request,
                                      const SearchOptions &options, Search &search) {
  const Arrangement order = with_unwritten_locals();
  const launch::Request asked = with_contents_of(order, request);
  auto once = target.suppress(asked, {}, options.scratch);
  if (!once)
    return std::unexpected(once.error());
  if (once->status.ending == launch::Ending::cancelled)
    return fail("interrupted");
  if (!once->crash || once->crash->numbers.kind == CULPRIT_CRASH_ENDLESS ||
      once->crash->numbers.kind == CULPRIT_CRASH_EXHAUSTED)
    return {};
  auto found = with_origins(target, asked, options);
  if (!found)
    return std::unexpected(found.error());
  if (is_unwritten_variable(*found))
    take_over_as(order, search.located, std::move(*found));
  return {};
}

} // namespace culprit::locate
