// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See search.h.
#include "engine/locate/search.h"

#include "abi/layout.h"
#include "engine/locate/arrangement.h"
#include "engine/locate/expose.h"
#include "engine/locate/naming.h"
#include "engine/locate/other_contents.h"
#include "engine/locate/repetition.h"
#include "engine/locate/statement_count.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <fmt/format.h>
#include <future>
#include <memory>
#include <ranges>
#include <utility>

namespace culprit::locate {
namespace {

using std::chrono::milliseconds;

// How long an execution without suppression may take at first, if nobody says.
constexpr std::chrono::seconds kFirst{60};
// And one that is asked a question, beyond three times what the first took.
constexpr std::chrono::seconds kForQuestion{1};

bool has_limit(const launch::Request &request, const SearchOptions &options) {
  return request.limits.timeout.count() != 0 || options.settings.timeout > 0;
}

// Nobody waits for a program that does not end by itself.
launch::Request limited(launch::Request request, const SearchOptions &options) {
  if (!has_limit(request, options))
    request.limits.timeout = std::min<milliseconds>(options.longest, kFirst);
  else
    request.limits.timeout = patience(options.settings, {}, request.limits.timeout);
  return request;
}

bool ran_out_of_time(const Execution &execution) {
  return execution.status.ending == launch::Ending::timed_out;
}

// The first execution, and whether it repeats.
struct Twice {
  Execution first;
  bool prints_the_same = true;
  std::string difference = {}; // as in Search
};

Result<Twice> execute_twice(const Target &target, const launch::Request &request,
                            const SearchOptions &options) {
  auto trace = [&] { return target.trace(request, options.scratch); };
  auto again = std::async(std::launch::async, trace);
  auto first = trace();
  auto second = again.get();
  if (!first)
    return std::unexpected(first.error());
  if (!second)
    return std::unexpected(second.error());
  if (first->status.ending == launch::Ending::cancelled ||
      second->status.ending == launch::Ending::cancelled)
    return fail("interrupted");
  Twice twice{.first = std::move(*first), .difference = {}};
  twice.prints_the_same = twice.first.output == second->output || ran_out_of_time(twice.first);
  twice.difference = difference(twice.first, *second);
  if (twice.difference.empty())
    return twice;
  auto alone = repeat_alone(trace);
  if (!alone)
    return std::unexpected(alone.error());
  twice.difference = std::move(alone->difference);
  twice.first = std::move(alone->first);
  return twice;
}

// How long an execution may take, by how long the program takes that the user has built; nothing:
// that one does not end, either.
Result<std::optional<milliseconds>> time_of_original(launch::Request request,
                                                     const SearchOptions &options) {
  request.program.executable.clear();
  request.program.substitutions.clear();
  request.limits.timeout = options.longest;
  auto outcome = launch::run(request);
  if (!outcome)
    return std::unexpected(outcome.error());
  if (outcome->status.ending == launch::Ending::cancelled)
    return fail("interrupted");
  if (outcome->status.ending == launch::Ending::timed_out)
    return std::nullopt;
  return patience(options.settings, outcome->wall, {});
}

bool is_crash(const launch::Status &status) {
  constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  return status.ending == launch::Ending::signalled &&
         std::ranges::find(kSignals, status.code) != kSignals.end();
}

// Nothing crashed. If the program that the user has built does, there is something that was not
// found, and that is what is said.
Result<void> look_at_original(launch::Request request, Located &located) {
  request.program.executable.clear();
  request.program.substitutions.clear();
  auto outcome = launch::run(request);
  if (!outcome)
    return std::unexpected(outcome.error());
  if (outcome->status.ending == launch::Ending::cancelled)
    return fail("interrupted");
  if (!is_crash(outcome->status))
    return {};
  located.outcome = Outcome::unresolved;
  located.reason = fmt::format("the program as it was built was {}, but no execution here "
                               "crashed",
                               launch::describe(outcome->status));
  return {};
}

// As the pass names what a store is meant for (pass/locate/plan.cpp).
bool is_local(const std::string &object) { return object.contains(':'); }

// A value that lies among the variables of functions, whoever wrote it, may have been read by a
// pointer that is older than the function they belong to.
bool lies_among_locals(const Step &step) {
  constexpr uint64_t kLongestStack = uint64_t{1} << 32;
  if (step.suspects.empty() || !step.layout.empty())
    return false;
  const Suspect &best = step.suspects.front();
  if (best.candidate.part != Part::source || !best.definition)
    return false;
  const bool is_known = best.address != 0;
  return best.definition->kind == DefinitionKind::variable ||
         (!is_known && is_local(best.definition->object)) ||
         (best.address < CULPRIT_LAYOUT_STACK_TOP &&
          best.address >= CULPRIT_LAYOUT_STACK_TOP - kLongestStack);
}

// What it has read there may lead it anywhere before the search ends.
bool may_have_left(const Located &located) {
  if (located.outcome != Outcome::located)
    return false;
  const size_t last = located.findings.front().step;
  const ErrorKind error = located.chain[last].error;
  if (error != ErrorKind::wild_access && error != ErrorKind::null_dereference)
    return lies_among_locals(located.chain[last]);
  return std::ranges::any_of(located.chain | std::views::take(last + 1), lies_among_locals);
}

// Executes with the variables of functions that have returned kept out of use. If that shows one
// that is used all the same, this is what was located.
Result<void> look_at_left_frames(const Target &target, const launch::Request &request,
                                 const SearchOptions &options, Search &search) {
  auto variables = target.variables();
  if (!variables)
    return {};
  const Arrangement kept = with_left_frames(*variables);
  if (kept.rows.empty())
    return {};
  ++search.orders;
  auto found =
      iterate(target.tables(),
              [&](const Targets &targets, const std::string &) {
                return target.reorder(request, targets, kept.rows, options.scratch);
              },
              {.executions = static_cast<unsigned>(options.settings.executions), .all = false});
  if (!found)
    return std::unexpected(found.error());
  if (found->outcome != Outcome::located ||
      found->chain[found->findings.front().step].error != ErrorKind::use_after_return)
    return {};
  for (Step &step : found->chain)
    step.layout = kept.name;
  take_over(search.located, std::move(*found));
  return {};
}

bool is_allocation(const Suspect &suspect) {
  return suspect.candidate.part == Part::source && suspect.definition &&
         suspect.definition->kind == DefinitionKind::allocation;
}

// A pointer to a block has the id of the allocation, and so has what nobody has written in it. If
// the crash comes again and no value that it uses is marked as unwritten, it was the pointer: with
// an index that is older than the block, in a function that returns their sum.
void call_it_wild(Step &known, const Located &found) {
  const auto is_origin = [](const Suspect &suspect) { return suspect.candidate.origin; };
  const auto same = std::ranges::find_if(found.chain, [&](const Step &step) {
    return step.crash.numbers.place == known.crash.numbers.place;
  });
  if (known.error == ErrorKind::uninitialised_read && same != found.chain.end() &&
      std::ranges::none_of(same->suspects, is_origin))
    known.error = ErrorKind::wild_access;
}

// May the value that is blamed have been computed from memory that was freed or never written?
bool may_have_origin(const Located &located) {
  if (located.outcome != Outcome::located)
    return false;
  const Step &step = located.chain[located.findings.front().step];
  if (step.suspects.empty() || !(step.layout.empty() || has_other_contents(step.layout)))
    return false;
  switch (step.error) {
  case ErrorKind::uninitialised_read:
    return is_allocation(step.suspects.front());
  case ErrorKind::wild_access:
  case ErrorKind::null_dereference:
  case ErrorKind::bad_free:
  case ErrorKind::failed_check:
  case ErrorKind::division_by_zero:
    break;
  default:
    return false;
  }
  const Suspect &best = step.suspects.front();
  if (best.candidate.part == Part::missing)
    return true;
  if (best.candidate.part != Part::source || !best.definition)
    return false;
  switch (best.definition->kind) {
  case DefinitionKind::store:
  case DefinitionKind::constant:
  case DefinitionKind::call:
  case DefinitionKind::library:
  case DefinitionKind::allocation:
    return true;
  default:
    return false;
  }
}

// A value that nobody has defined was read by an address that somebody has: in this flavour it has
// the id of that. Where a variable is may be such an address, but it leads nowhere by itself.
bool leads_further(const Step &known, const Located &found) {
  const Finding &finding = found.findings.front();
  const Suspect &best = found.chain[finding.step].suspects.front();
  return known.suspects.front().candidate.part == Part::missing && finding.confirmed &&
         best.candidate.part != Part::missing && best.definition && !best.definition->small;
}

// Executes the same with origins kept. If the crash comes of a value that was computed from memory
// nobody has written, whoever freed, allocated or declared that is what was located; who computed
// the value is told beside it.
Result<void> look_at_origins(const Target &target, const launch::Request &request,
                             const SearchOptions &options, Search &search) {
  auto found =
      iterate(target.tables(),
              [&](const Targets &targets, const std::string &) {
                return target.origins(request, targets, options.scratch);
              },
              {.executions = static_cast<unsigned>(options.settings.executions), .all = false});
  if (!found)
    return std::unexpected(found.error());
  // What code that nobody sees has freed cannot be kept alive to see what comes then.
  if (found->outcome == Outcome::unresolved && !found->chain.empty() &&
      !found->chain.back().suspects.empty() &&
      found->chain.back().suspects.front().candidate.freed_at != 0)
    found->findings = {{.step = found->chain.size() - 1}};
  Step &known = search.located.chain[search.located.findings.front().step];
  call_it_wild(known, *found);
  if (found->findings.empty())
    return {};
  Step &step = found->chain[found->findings.front().step];
  const Suspect &origin = step.suspects.front();
  const auto take_over_found = [&] {
    for (Step &each : found->chain) {
      each.origins = true;
      each.layout = known.layout;
    }
    take_over(search.located, std::move(*found));
  };
  if (leads_further(known, *found)) {
    take_over_found();
    return {};
  }
  // Without its allocation nothing is left that could crash for a block, guilty or not.
  const bool explains_others =
      origin.definition && origin.definition->kind != DefinitionKind::allocation;
  const auto is_of_same_crash = [&](const Step &other) {
    return other.crash.numbers.place == step.crash.numbers.place &&
           (explains_others || &other == &known);
  };
  const bool is_known =
      known.error == ErrorKind::uninitialised_read &&
      definition_of(origin.candidate.id) == definition_of(known.suspects.front().candidate.id);
  if (!origin.candidate.origin || is_known ||
      std::ranges::none_of(search.located.chain, is_of_same_crash))
    return {};
  for (const Suspect &suspect : known.suspects) {
    const auto is_it = [&](const Suspect &other) {
      return definition_of(other.candidate.id) == definition_of(suspect.candidate.id);
    };
    if (std::ranges::any_of(step.suspects, is_it))
      continue;
    step.suspects.push_back(suspect);
    step.suspects.back().candidate.suppress = false;
  }
  take_over_found();
  return {};
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
  launch::Request plain = limited(request, options);
  auto twice = execute_twice(target, plain, options);
  if (twice && ran_out_of_time(twice->first) && !has_limit(request, options) &&
      options.longest > kFirst) {
    auto enough = time_of_original(request, options);
    if (!enough)
      return std::unexpected(enough.error());
    if (*enough && **enough > plain.limits.timeout) {
      plain.limits.timeout = **enough;
      twice = execute_twice(target, plain, options);
    }
  }
  if (!twice)
    return std::unexpected(twice.error());
  Search search;
  search.located.status = twice->first.status;
  search.difference = std::move(twice->difference);
  if (!search.difference.empty())
    return search;
  const bool prints_the_same = twice->prints_the_same;
  std::optional<Execution> first = std::move(twice->first);

  launch::Request later = request;
  later.limits.timeout = ran_out_of_time(*first)
                             ? plain.limits.timeout
                             : patience(options.settings, first->wall, request.limits.timeout);
  // Without what makes a loop go on it has no end, and that is an answer, too (acquittal.h).
  launch::Request brief = later;
  brief.limits.timeout =
      std::min(later.limits.timeout,
               std::chrono::duration_cast<milliseconds>(first->wall * 3) + kForQuestion);
  const bool exposes = options.expose.value_or(options.all || !first->crash);
  std::unique_ptr<Reordering> reordering; // made when first needed
  const auto arranged = [&](const launch::Request &plain_request, const Targets &targets,
                            const Arrangement &order, std::vector<bool> *entered) {
    const launch::Request asked = with_contents_of(order, plain_request);
    if (needs_origins(order.name))
      return target.origins(asked, targets, options.scratch);
    return order.rows.empty()
               ? target.suppress(asked, targets, options.scratch)
               : target.reorder(asked, targets, order.rows, options.scratch, entered);
  };
  const auto varied = [&](const Targets &targets, const Arrangement &order,
                          std::vector<bool> *entered) {
    return arranged(targets.leaves_out_quietly() ? brief : later, targets, order, entered);
  };
  const auto run = [&](const Targets &targets, const std::string &layout) -> Result<Execution> {
    if (auto known = std::exchange(first, std::nullopt))
      return std::move(*known);
    if (layout.empty())
      return target.suppress(targets.leaves_out_quietly() ? brief : later, targets,
                             options.scratch);
    if (auto crashed = reordering->take_crash())
      return std::move(*crashed);
    return varied(targets, *reordering->order(layout), nullptr);
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
      if (!variables)
        no_orders = variables.error().what;
      reordering = std::make_unique<Reordering>(
          variables ? std::move(*variables) : Variables{}, varied,
          Reordering::Options{.orders = options.settings.orders, .on_order = options.on_order});
    }
    return reordering->expose(targets);
  };
  auto located = iterate(target.tables(), execute,
                         {.executions = static_cast<unsigned>(options.settings.executions),
                          .all = options.all,
                          .expose = exposes ? expose : Expose{},
                          .acquit = true});
  if (!located)
    return std::unexpected(located.error());
  search.located = std::move(*located);
  search.orders = reordering ? reordering->tried() : 0;
  const auto order_of = [&](const std::string &layout) {
    const Arrangement *order = reordering ? reordering->order(layout) : nullptr;
    return order != nullptr ? *order : contents_named(layout);
  };
  if (may_have_origin(search.located)) {
    const std::string layout = search.located.chain[search.located.findings.front().step].layout;
    const launch::Request asked = with_contents_of(order_of(layout), later);
    const size_t before = search.located.chain.size();
    if (auto looked = look_at_origins(target, asked, options, search); !looked)
      return std::unexpected(looked.error());
    if (search.located.chain.size() == before && layout.empty())
      if (auto looked = look_at_freed_reads(target, later, options, search); !looked)
        return std::unexpected(looked.error());
  }
  if (search.located.outcome == Outcome::no_corruption && exposes)
    if (auto looked = look_at_unwritten_locals(target, later, options, search); !looked)
      return std::unexpected(looked.error());
  if (may_have_left(search.located) && options.expose.value_or(true))
    if (auto looked = look_at_left_frames(target, later, options, search); !looked)
      return std::unexpected(looked.error());
  if (options.count_statement) {
    const Count count = [&](const Targets &targets, const std::string &layout, uint32_t place) {
      const Arrangement order = order_of(layout);
      launch::Request counted = later;
      counted.runtime_options.emplace_back("counted", std::to_string(place));
      return arranged(counted, targets, order, nullptr);
    };
    if (auto counted = count_statement(search.located, target.tables(), count); !counted)
      return std::unexpected(counted.error());
  }
  if (search.located.outcome == Outcome::no_corruption)
    if (auto looked = look_at_original(later, search.located); !looked)
      return std::unexpected(looked.error());
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
