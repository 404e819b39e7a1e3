// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See iteration.h.
#include "engine/locate/iteration.h"

#include "engine/locate/acquittal.h"
#include "engine/locate/freed_before.h"
#include "engine/locate/made_after.h"
#include "engine/locate/shared_cell.h"
#include "engine/locate/strayed.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace culprit::locate {
namespace {

constexpr std::array<std::string_view, 3> kOutcomes = {"located", "no-corruption", "unresolved"};

// Each takes as long as it may.
constexpr auto kMostEndless = 4;

bool is_endless(const Step &step) { return step.crash.numbers.kind == CULPRIT_CRASH_ENDLESS; }

// The same block overrun, the same return address or freed block overwritten.
bool is_same_memory(const culprit_record_crash &a, const culprit_record_crash &b) {
  if (a.kind != b.kind)
    return false;
  switch (a.kind) {
  case CULPRIT_CRASH_GUARD:
    return a.block == b.block && a.allocated == b.allocated;
  case CULPRIT_CRASH_FREED_WRITE:
    return a.block == b.block && a.freed == b.freed;
  case CULPRIT_CRASH_SMASHED:
    return a.address == b.address;
  default:
    return false;
  }
}

class Iteration {
public:
  Iteration(const Tables &tables, const Execute &execute, const IterationOptions &options)
      : tables_(tables), execute_(execute), options_(options) {}

  Result<Located> run();

private:
  enum class End { quiet, stuck };

  // Figure 3 from this set on: until no crash, or until nothing can be done.
  Result<End> suppress(Targets &targets);
  Result<std::optional<Execution>> once(Targets &targets); // nothing: too many
  bool did_crash(const Execution &execution);
  Step step_of(Execution &execution) const;
  std::optional<Definition> definition_of_candidate(const Candidate &candidate) const;
  bool extend(Targets &targets, Step &step) const;
  std::optional<size_t> overrun_noticed_here(const Step &step) const;
  bool extend_overrun(Targets &targets, Step &step);
  void learn(const std::map<uint64_t, Fired> &met, const Execution &execution);
  Result<bool> expose(const Targets &targets);
  Result<void> set_apart(const Targets &targets);
  Result<bool> acquit(size_t at);
  Result<void> look_into_cell(size_t at);
  Result<End> begin_again(Targets &targets, End end);
  void keep(Step step, const Targets &asked);
  std::vector<uint32_t> definitions_of(const Step &step) const;
  size_t first_write() const;
  Result<void> find_all(Targets &targets);
  Finding finding() const;
  void stuck(std::string why);

  const Tables &tables_;
  const Execute &execute_;
  const IterationOptions &options_;
  Located located_;
  std::string layout_;
  std::optional<size_t> last_; // step that grew the set last
  bool unconfirmed_ = false;
  std::optional<size_t> proven_; // last_ when no crash was left, before variables were re-ordered
  std::set<size_t> found_;       // steps that findings come from
  std::vector<Targets> asked_;   // of each step of the chain: what was suppressed when it crashed
};

void Iteration::stuck(std::string why) {
  located_.outcome = Outcome::unresolved;
  located_.reason = std::move(why);
}

// How many times a definition had been executed, and what it met, is only known once it was
// executed as a target.
void Iteration::learn(const std::map<uint64_t, Fired> &met, const Execution &execution) {
  if (!last_)
    return;
  Step &step = located_.chain[*last_];
  std::optional<Candidate> first;
  for (Suspect &suspect : step.suspects) {
    const auto found = met.find(suspect.candidate.id);
    if (found == met.end())
      continue;
    const Fired &fired = found->second;
    suspect.count = fired.count;
    suspect.stack = fired.stack;
    suspect.address = fired.address;
    suspect.before = fired.before;
    step.suspect_modules = execution.modules;
    suspect.copied = copy_of(suspect, execution);
    if (suspect.copied.empty() && &suspect == &step.suspects.front())
      suspect.copied = brought_by(suspect, step, execution);
    if (&suspect == &step.suspects.front() && overran_variable(suspect, step, execution))
      step.error = overflow_by(*suspect.definition);
    if (!first) {
      first = earlier_writer(suspect.candidate, fired, tables_, step.crash.numbers);
      if (first && ran_over_array(*first, suspect, step, tables_))
        step.error = tables_.definition(definition_of(first->id))->local
                         ? ErrorKind::stack_overflow
                         : ErrorKind::global_overflow;
    }
  }
  if (!first)
    return;
  const auto same = std::ranges::find(step.suspects, first->id,
                                      [](const Suspect &one) { return one.candidate.id; });
  if (same != step.suspects.end())
    std::rotate(step.suspects.begin(), same, same + 1);
  else
    step.suspects.insert(step.suspects.begin(),
                         {*first, tables_.definition(definition_of(first->id)), std::nullopt});
}

Result<std::optional<Execution>> Iteration::once(Targets &targets) {
  if (located_.executions >= options_.executions) {
    stuck(fmt::format("it still crashes after {} executions", located_.executions));
    return std::nullopt;
  }
  auto execution = execute_(targets, layout_);
  if (!execution)
    return std::unexpected(execution.error());
  ++located_.executions;
  for (const std::string &note : execution->notes)
    if (std::ranges::find(located_.notes, note) == located_.notes.end())
      located_.notes.push_back(note);
  learn(targets.executed(execution->fired), *execution);
  return std::move(*execution);
}

bool Iteration::did_crash(const Execution &execution) {
  const bool first = located_.executions == 1;
  const auto note = [&](std::string_view how) {
    located_.notes.push_back(
        fmt::format("execution {} {}: it has not crashed so far", located_.executions, how));
  };
  // What suppression leaves out may be what ends a loop or a recursion; but not one that had no end
  // before.
  const auto is_new = [&](uint32_t kind) {
    return !first && execution.crash && execution.crash->numbers.kind == kind &&
           std::ranges::none_of(located_.chain,
                                [&](const Step &step) { return step.crash.numbers.kind == kind; });
  };
  if (is_new(CULPRIT_CRASH_EXHAUSTED)) {
    note("filled its stack");
    return false;
  }
  if (is_new(CULPRIT_CRASH_ENDLESS)) {
    note("did not end");
    return false;
  }
  // Nor is one that does not wake another.
  if (!first && execution.crash && execution.crash->numbers.kind == CULPRIT_CRASH_DEADLOCK) {
    note("was deadlocked");
    return false;
  }
  if (execution.crash)
    return true;
  if (!first && (execution.status.ending == launch::Ending::timed_out ||
                 execution.status.ending == launch::Ending::over_limit))
    note(execution.status.ending == launch::Ending::timed_out ? "timed out"
                                                              : "used too much memory");
  return false;
}

Step Iteration::step_of(Execution &execution) const {
  Step step{.execution = located_.executions,
            .crash = std::move(*execution.crash),
            .modules = std::move(execution.modules),
            .layout = layout_};
  step.place = tables_.place(step.crash.numbers.place);
  step.assembled = execution.assembled;
  return step;
}

std::optional<Definition> Iteration::definition_of_candidate(const Candidate &candidate) const {
  if (candidate.freed_at == 0)
    return tables_.definition(definition_of(candidate.id));
  const auto place = tables_.place(candidate.freed_at);
  if (!place)
    return std::nullopt;
  return Definition{.kind = DefinitionKind::free, .at = place->at, .callee = place->callee};
}

// Adds the suspects of a crash to the set; false: nothing is new.
bool Iteration::extend(Targets &targets, Step &step) const {
  // A block that several statements overrun: its allocation as well, or they would all have to be
  // found one by one. Which of them was first is known.
  const bool again = std::ranges::any_of(located_.chain, [&](const Step &earlier) {
    return is_same_memory(earlier.crash.numbers, step.crash.numbers);
  });
  for (Suspect &suspect : step.suspects) {
    suspect.candidate.suppress |= again && suspect.candidate.part == Part::allocation;
    if (!suspect.candidate.suppress || !targets.add(suspect.candidate.id, suspect.candidate.onward))
      continue;
    step.grew = true;
    // Blamed before, for an earlier execution: that one counts.
    suspect.count = targets.first_count(definition_of(suspect.candidate.id));
  }
  return step.grew;
}

// The fault at which an overrun block was noticed has come again: what is read behind the block's
// end is not what the program has put there, whoever else has.
std::optional<size_t> Iteration::overrun_noticed_here(const Step &step) const {
  for (size_t i = 0; i < located_.chain.size(); ++i) {
    const culprit_record_crash &noticed = located_.chain[i].crash.numbers;
    if (noticed.kind == CULPRIT_CRASH_GUARD && noticed.signal != 0 &&
        step.crash.numbers.kind == CULPRIT_CRASH_SIGNAL &&
        noticed.place == step.crash.numbers.place)
      return i;
  }
  return std::nullopt;
}

// Suppresses the allocation of such a block. False: there is none, or that was not enough before.
bool Iteration::extend_overrun(Targets &targets, Step &step) {
  const auto overrun = overrun_noticed_here(step);
  if (!overrun)
    return false;
  for (Suspect &suspect : located_.chain[*overrun].suspects)
    if (suspect.candidate.part == Part::allocation && !suspect.candidate.suppress &&
        targets.add(suspect.candidate.id)) {
      suspect.candidate.suppress = true;
      step.belongs_to = overrun;
      step.grew = true;
      return true;
    }
  return false;
}

Result<bool> Iteration::expose(const Targets &targets) {
  if (!options_.expose)
    return false;
  auto layout = options_.expose(targets);
  if (!layout)
    return std::unexpected(layout.error());
  if (!*layout)
    return false;
  layout_ = std::move(**layout);
  return true;
}

Result<Iteration::End> Iteration::suppress(Targets &targets) {
  for (;;) {
    auto execution = once(targets);
    if (!execution)
      return std::unexpected(execution.error());
    if (!*execution)
      return End::stuck;
    const launch::Status status = (*execution)->status;
    if (located_.executions == 1)
      located_.status = status;
    located_.last = status;
    if (status.ending == launch::Ending::cancelled)
      return fail("interrupted");
    if (!did_crash(**execution)) {
      const bool ended_by_us =
          status.ending == launch::Ending::timed_out || status.ending == launch::Ending::over_limit;
      if (status.ending == launch::Ending::signalled && !(*execution)->crash) {
        stuck(fmt::format("execution {} was {}, and its runtime could not say where",
                          located_.executions, launch::describe(status)));
        return End::stuck;
      }
      if (located_.executions == 1 && ended_by_us) {
        stuck(fmt::format("{} before it crashed{}", launch::describe(status),
                          status.ending == launch::Ending::timed_out
                              ? "; --timeout or locate.timeout give it more time"
                              : ""));
        return End::stuck;
      }
      proven_ = last_;
      located_.quiet = located_.executions;
      auto exposed = expose(targets);
      if (!exposed)
        return std::unexpected(exposed.error());
      if (!*exposed)
        return End::quiet;
      continue;
    }
    Step step = step_of(**execution);
    if (const auto again = std::ranges::count_if(located_.chain, is_endless);
        is_endless(step) && again >= kMostEndless) {
      stuck(fmt::format("it does not end in {} executions", again + 1));
      return End::stuck;
    }
    const Blamed blamed = blame(step.crash.numbers, tables_, (*execution)->arguments);
    step.error = blamed.error;
    for (const Candidate &candidate : blamed.candidates)
      step.suspects.push_back({candidate, definition_of_candidate(candidate), std::nullopt});
    if (const auto destroyed = destroyed_before(located_.chain, step)) {
      keep(std::move(step), targets);
      last_ = destroyed;
      unconfirmed_ = true;
      return End::quiet;
    }
    const Targets asked = targets;
    const bool grew = extend_overrun(targets, step) || extend(targets, step);
    if (step.assembled)
      targets.watch(definition_of(step.assembled->id), step.assembled->address);
    else if (watches_damage(step))
      targets.watch(definition_of(step.crash.numbers.written), step.crash.numbers.address);
    // Nor can be left out what code that nobody sees has freed.
    const bool missing =
        !step.suspects.empty() && (step.suspects.front().candidate.part == Part::missing ||
                                   step.suspects.front().candidate.freed_at != 0);
    keep(std::move(step), asked);
    if (grew) {
      last_ = located_.chain.size() - 1;
      continue;
    }
    // Nothing to suppress, but a place to look at. With something suppressed already, it may be
    // that this is why the value is not there: what was found before stands.
    if (missing) {
      last_ = last_.value_or(located_.chain.size() - 1);
      unconfirmed_ = true;
      return End::quiet;
    }
    stuck(!blamed.nothing.empty()
              ? blamed.nothing
              : fmt::format("execution {} crashes for a value whose definition is suppressed "
                            "already",
                            located_.executions));
    return End::stuck;
  }
}

std::vector<uint32_t> Iteration::definitions_of(const Step &step) const {
  std::vector<uint32_t> all;
  for (const Suspect &suspect : step.suspects)
    if (suspect.candidate.suppress)
      all.push_back(definition_of(suspect.candidate.id));
  return all;
}

// Goes back from what was blamed last to what may be the reason for the crash that was met. An
// execution decides: without a reason there is no such crash.
Result<void> Iteration::set_apart(const Targets &targets) {
  const auto of_this_order = [&](const Step &step) {
    return step.layout == located_.chain[*last_].layout;
  };
  const auto met = std::ranges::find_if(located_.chain, of_this_order);
  for (; *last_ > static_cast<size_t>(met - located_.chain.begin()); --*last_) {
    Step &step = located_.chain[*last_];
    if (!step.grew)
      continue;
    const std::vector<uint32_t> blamed = definitions_of(step);
    if (first_write() != *last_ || !made_after(step, *met) || blamed == definitions_of(*met) ||
        located_.executions >= options_.executions)
      return {};
    auto execution = execute_(targets.only(blamed), step.layout);
    if (!execution)
      return std::unexpected(execution.error());
    if (execution->status.ending == launch::Ending::cancelled)
      return fail("interrupted");
    ++located_.executions;
    if (!execution->crash || !is_met_again(execution->crash->numbers, *met))
      return {};
    step.apart = true;
  }
  return {};
}

void Iteration::keep(Step step, const Targets &asked) {
  located_.chain.push_back(std::move(step));
  asked_.push_back(asked);
}

// Another of a step's suspects comes first, if executions say so. They are counted only then.
Result<bool> Iteration::acquit(size_t at) {
  Step &step = located_.chain[at];
  unsigned executed = 0;
  unsigned acquitted = 0; // the first of them
  const auto crashes_without = [&](const Suspect &suspect, uint64_t time) -> Result<bool> {
    if (located_.executions + executed >= options_.executions)
      return false;
    auto execution = execute_(asked_[at].without(suspect.candidate.id, time), step.layout);
    if (!execution)
      return std::unexpected(execution.error());
    if (execution->status.ending == launch::Ending::cancelled)
      return fail("interrupted");
    ++executed;
    const bool again = execution->crash && is_same_crash(execution->crash->numbers, step);
    if (again && &suspect == &step.suspects.front())
      acquitted = located_.executions + executed;
    return again;
  };
  auto better = better_than_newest(step, tables_, crashes_without);
  if (!better)
    return std::unexpected(better.error());
  if (!*better)
    return false;
  located_.executions += executed;
  if (acquitted != 0)
    step.suspects.front().acquitted = acquitted;
  const auto first = step.suspects.begin() + static_cast<ptrdiff_t>(**better);
  std::rotate(step.suspects.begin(), first, first + 1);
  return true;
}

// The member that was used, and not the one beside it that was written last.
Result<void> Iteration::look_into_cell(size_t at) {
  Step &step = located_.chain[at];
  unsigned executed = 0;
  const auto leave_out = [&](uint64_t id) -> Result<Without> {
    if (located_.executions + executed >= options_.executions)
      return Without{};
    auto execution = execute_(asked_[at].without(id, time_of(id)), step.layout);
    if (!execution)
      return std::unexpected(execution.error());
    if (execution->status.ending == launch::Ending::cancelled)
      return fail("interrupted");
    ++executed;
    Without without{.crashes = execution->crash && is_same_crash(execution->crash->numbers, step),
                    .left = std::nullopt};
    const auto left = std::ranges::find(
        execution->fired, id, [](const Fired &one) { return one.id & ~CULPRIT_ID_CORRUPT; });
    if (left != execution->fired.end())
      without.left = *left;
    return without;
  };
  auto writer = writer_of_member(step, tables_, leave_out);
  if (!writer)
    return std::unexpected(writer.error());
  if (*writer) {
    step.suspects.front().acquitted = located_.executions + 1;
    located_.executions += executed;
    step.suspects.insert(step.suspects.begin(), std::move(**writer));
  }
  return {};
}

// What is sound was left out, too, and may be why it has crashed elsewhere since: a vector whose
// end does not fit its blocks. If the first crash has a better reason than its newest, that is
// followed alone.
Result<Iteration::End> Iteration::begin_again(Targets &targets, End end) {
  const bool goes_on = end == End::stuck || unconfirmed_ || (last_ && finding().step != 0);
  if (!options_.acquit || !goes_on || located_.chain.empty() || !layout_.empty())
    return end;
  auto better = acquit(0);
  if (!better)
    return std::unexpected(better.error());
  if (!*better)
    return end;
  const Iteration known = *this;
  located_.chain.resize(1);
  located_.reason.clear();
  located_.outcome = Outcome::no_corruption;
  asked_.resize(1);
  unconfirmed_ = false;
  proven_.reset();
  last_ = 0;
  Step &step = located_.chain.front();
  step.suspects[1].candidate.suppress = false; // the newest
  Targets fewer = asked_.front();
  extend(fewer, step);
  auto again = suppress(fewer);
  if (!again)
    return std::unexpected(again.error());
  if (*again == End::quiet || proven_) {
    targets = std::move(fewer);
    return *again;
  }
  const unsigned executions = located_.executions;
  located_ = known.located_;
  located_.executions = executions;
  layout_ = known.layout_;
  asked_ = known.asked_;
  last_ = known.last_;
  unconfirmed_ = known.unconfirmed_;
  proven_ = known.proven_;
  return end;
}

// The step that the finding comes from. A write beside an object or over a return address is
// corruption, whatever else is; and if it was made before the one that was blamed last, it is no
// consequence of that.
size_t Iteration::first_write() const {
  const auto is_write = [&](size_t i) {
    const culprit_record_crash &crash = located_.chain[i].crash.numbers;
    return (crash.kind == CULPRIT_CRASH_GUARD || crash.kind == CULPRIT_CRASH_SMASHED) &&
           time_of(crash.written) != 0 && located_.chain[i].layout == located_.chain[*last_].layout;
  };
  // When what the step is blamed on was done. Of a value that is as old as its variable, or that
  // nobody has defined, nothing came before.
  const auto done = [&](size_t i) -> uint64_t {
    const Step &step = located_.chain[i];
    if (is_write(i))
      return time_of(step.crash.numbers.written);
    return step.suspects.empty() ? 0 : time_of(step.suspects.front().candidate.id);
  };
  size_t first = *last_;
  for (size_t i = 0; i < *last_; ++i)
    if (is_write(i) && !found_.contains(i) && done(i) < done(first))
      first = i;
  return first;
}

// An error explains another if suppressing its definitions alone also ends the other's crashes. So
// only those of the findings stay in the set, and Figure 3 goes on from there.
Result<void> Iteration::find_all(Targets &targets) {
  Targets kept;
  while (!unconfirmed_) {
    kept.merge(targets.only(definitions_of(located_.chain[first_write()])));
    if (const auto freed = freed_before(located_.chain, first_write()))
      kept.merge(targets.only(definitions_of(located_.chain[*freed])));
    found_.insert(first_write());
    targets = kept;
    last_.reset();
    auto end = suppress(targets);
    if (!end)
      return std::unexpected(end.error());
    if (*end == End::stuck) { // what was found stays found
      located_.notes.push_back("not all errors could be located: " + located_.reason);
      located_.outcome = Outcome::located;
      located_.reason.clear();
      return {};
    }
    if (!last_)
      return {};
    located_.findings.push_back(finding());
  }
  return {};
}

Finding Iteration::finding() const {
  const auto definition = [](const Step &step) {
    return step.suspects.empty() ? 0 : definition_of(step.suspects.front().candidate.id);
  };
  const auto count = [](const Step &step) {
    return step.suspects.front().count.value_or(UINT64_MAX);
  };
  const size_t first = first_write();
  Finding found{.step = located_.chain[first].belongs_to.value_or(
                    freed_before(located_.chain, first).value_or(first)),
                .confirmed = !unconfirmed_};
  // The runtime tells the earliest of the writes: who writes there later only repeats the error.
  // But what it writes may hide who wrote there before.
  const auto written = [&](size_t i) { return time_of(located_.chain[i].crash.numbers.written); };
  for (size_t i = found.step; i-- > 0;)
    if (is_same_memory(located_.chain[i].crash.numbers, located_.chain[found.step].crash.numbers) &&
        written(i) <= written(found.step))
      found.step = i;
  const uint32_t guilty = definition(located_.chain[found.step]);
  found.onward = guilty != 0 && located_.chain[found.step].suspects.front().candidate.onward;
  for (size_t i = found.step; i-- > 0 && guilty != 0;) {
    if (definition(located_.chain[i]) != guilty)
      continue;
    found.onward = true;
    if (count(located_.chain[i]) <= count(located_.chain[found.step]))
      found.step = i;
  }
  return found;
}

Result<Located> Iteration::run() {
  Targets targets;
  auto end = suppress(targets);
  if (end)
    end = begin_again(targets, *end);
  if (!end)
    return std::unexpected(end.error());
  if (*end == End::stuck &&
      proven_) { // what another order of variables exposed is no more than that
    located_.notes.push_back("a crash in another order of variables was not located: " +
                             located_.reason);
    located_.reason.clear();
    last_ = proven_;
  } else if (*end == End::stuck || !last_) {
    return std::move(located_);
  }
  if (auto set = set_apart(targets); !set)
    return std::unexpected(set.error());
  located_.outcome = Outcome::located;
  if (options_.acquit) {
    if (auto acquitted = acquit(finding().step); !acquitted)
      return std::unexpected(acquitted.error());
    if (auto looked = look_into_cell(finding().step); !looked)
      return std::unexpected(looked.error());
  }
  located_.findings.push_back(finding());
  // A chain of one crash is explained: the last execution suppressed nothing else.
  const bool several =
      std::ranges::count_if(located_.chain, [](const Step &step) { return step.grew; }) > 1;
  if (options_.all && several)
    if (auto found = find_all(targets); !found)
      return std::unexpected(found.error());
  return std::move(located_);
}

} // namespace

std::string_view name_of(Outcome outcome) { return kOutcomes[static_cast<size_t>(outcome)]; }

Result<Located> iterate(const Tables &tables, const Execute &execute,
                        const IterationOptions &options) {
  return Iteration(tables, execute, options).run();
}

} // namespace culprit::locate
