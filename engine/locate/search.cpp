// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See search.h.
#include "engine/locate/search.h"

#include "engine/locate/expose.h"
#include "engine/locate/naming.h"
#include "engine/locate/repetition.h"

#include <algorithm>
#include <future>
#include <memory>
#include <utility>

namespace culprit::locate {
namespace {

using std::chrono::milliseconds;

// Nobody waits for a program that does not end by itself.
launch::Request limited(launch::Request request, const SearchOptions &options) {
  if (request.limits.timeout.count() == 0)
    request.limits.timeout =
        options.settings.timeout > 0
            ? milliseconds(static_cast<int64_t>(options.settings.timeout * 1000))
            : options.longest;
  return request;
}

} // namespace

milliseconds patience(const LocateSettings &settings, std::chrono::microseconds first,
                      milliseconds asked_for) {
  if (asked_for.count() != 0)
    return asked_for;
  if (settings.timeout > 0)
    return milliseconds(std::max<int64_t>(1, static_cast<int64_t>(settings.timeout * 1000)));
  const double longest = 10'000 + static_cast<double>(first.count()) / 1000 * settings.patience;
  return milliseconds(static_cast<int64_t>(std::min(longest, 1e9)));
}

Result<Search> search(const Target &target, const launch::Request &request,
                      const SearchOptions &options) {
  const launch::Request plain = limited(request, options);
  auto trace = [&] { return target.trace(plain, options.scratch); };
  auto again = std::async(std::launch::async, trace);
  auto first = trace();
  auto second = again.get();
  if (!first)
    return std::unexpected(first.error());
  if (!second)
    return std::unexpected(second.error());
  Search search;
  search.located.status = first->status;
  if (first->status.ending == launch::Ending::cancelled ||
      second->status.ending == launch::Ending::cancelled)
    return fail("interrupted");
  search.difference = difference(*first, *second);
  if (!search.difference.empty()) {
    auto alone = repeat_alone(trace);
    if (!alone)
      return std::unexpected(alone.error());
    search.difference = std::move(alone->difference);
    first = std::move(alone->first);
  }
  if (!search.difference.empty())
    return search;
  const bool prints_the_same = first->output == second->output;

  launch::Request later = request;
  later.limits.timeout = patience(options.settings, first->wall, request.limits.timeout);
  const bool exposes = options.expose.value_or(options.all || !first->crash);
  std::unique_ptr<Reordering> reordering; // made when first needed
  bool is_first = true;
  const auto run = [&](const Targets &targets, const std::string &layout) -> Result<Execution> {
    if (std::exchange(is_first, false))
      return std::move(first);
    if (layout.empty())
      return target.suppress(later, targets, options.scratch);
    if (auto crashed = reordering->take_crash())
      return std::move(*crashed);
    return target.reorder(later, targets, *reordering->rows(layout), options.scratch);
  };
  const Execute execute = [&](const Targets &targets,
                              const std::string &layout) -> Result<Execution> {
    auto execution = run(targets, layout);
    if (execution && !options.notes)
      execution->notes.clear();
    return execution;
  };
  std::string no_orders; // why
  const Expose expose = [&](const Targets &targets) -> Result<std::optional<std::string>> {
    if (!reordering) {
      auto variables = target.variables();
      if (!variables) {
        no_orders = variables.error().what;
        return std::nullopt;
      }
      reordering = std::make_unique<Reordering>(
          std::move(*variables),
          [&](const Targets &set, const std::string &rows, std::vector<bool> *entered) {
            return target.reorder(later, set, rows, options.scratch, entered);
          },
          Reordering::Options{.orders = options.settings.orders, .on_order = options.on_order});
    }
    return reordering->expose(targets);
  };
  auto located = iterate(target.tables(), execute,
                         {.executions = static_cast<unsigned>(options.settings.executions),
                          .all = options.all,
                          .expose = exposes ? expose : Expose{}});
  if (!located)
    return std::unexpected(located.error());
  search.located = std::move(*located);
  search.orders = reordering ? reordering->tried() : 0;
  if (!no_orders.empty())
    search.located.notes.push_back("variables were not re-ordered: " + no_orders);
  if (!prints_the_same && search.located.outcome != Outcome::no_corruption)
    search.located.notes.emplace_back(
        "two executions did not print the same; their crash was the same");
  if (search.located.chain.empty())
    return search;
  const Naming naming(target);
  for (Step &step : search.located.chain)
    naming.name(step);
  for (const Step &step : search.located.chain)
    search.stacks.push_back(naming.stack_of(step));
  return search;
}

} // namespace culprit::locate
