// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See acquittal.h.
#include "engine/locate/acquittal.h"

#include "engine/heap/own_code.h"

#include <algorithm>

namespace culprit::locate {
namespace {

bool is_plain(const Step &step) {
  return (step.error == ErrorKind::failed_check || step.error == ErrorKind::wild_access) &&
         (step.crash.numbers.kind == CULPRIT_CRASH_SIGNAL ||
          step.crash.numbers.kind == CULPRIT_CRASH_ABORT);
}

bool is_one_of_several(const Suspect &suspect) {
  const Candidate &candidate = suspect.candidate;
  return candidate.equal && candidate.suppress && candidate.part == Part::source &&
         !candidate.origin && suspect.definition;
}

// Who had written there before the suspect has made a value, as it has.
bool can_be_asked(const Suspect &suspect, const Tables &tables) {
  if (suspect.definition->kind != DefinitionKind::store || suspect.address == 0 ||
      suspect.before == 0)
    return false;
  const auto before = tables.definition(definition_of(suspect.before));
  if (!before)
    return false;
  switch (before->kind) {
  case DefinitionKind::allocation:
    return before->callee == "calloc";
  case DefinitionKind::variable:
  case DefinitionKind::free:
    return false;
  default:
    return true;
  }
}

bool is_of_library(const Location &at) { return heap::is_library(at.function, at.file); }

// v.at(i): what the library keeps by itself is as it should be.
std::optional<size_t> asked_of_library(const Step &step) {
  if (step.error != ErrorKind::failed_check || !step.place || !is_of_library(step.place->at) ||
      !is_of_library(step.suspects.front().definition->at))
    return std::nullopt;
  const auto own = std::ranges::find_if(step.suspects, [](const Suspect &suspect) {
    return is_one_of_several(suspect) && !is_of_library(suspect.definition->at);
  });
  if (own == step.suspects.end())
    return std::nullopt;
  return static_cast<size_t>(own - step.suspects.begin());
}

} // namespace

Result<std::optional<size_t>> better_than_newest(const Step &step, const Tables &tables,
                                                 const CrashesWithout &crashes_without) {
  if (!is_plain(step) || step.suspects.size() < 2)
    return std::nullopt;
  const Suspect &newest = step.suspects.front();
  if (!is_one_of_several(newest))
    return std::nullopt;
  if (!can_be_asked(newest, tables))
    return asked_of_library(step);
  for (size_t i = 1; i < step.suspects.size(); ++i) {
    const Suspect &other = step.suspects[i];
    const uint64_t defined = time_of(other.candidate.id);
    if (!is_one_of_several(other) || defined >= time_of(newest.candidate.id))
      continue;
    auto again = crashes_without(newest, defined + 1);
    if (!again)
      return std::unexpected(again.error());
    if (!*again)
      return std::nullopt;
    if (!can_be_asked(other, tables)) {
      if (newest.definition->update)
        return i;
      continue;
    }
    again = crashes_without(other, defined);
    if (!again)
      return std::unexpected(again.error());
    if (!*again)
      return i;
  }
  return std::nullopt;
}

// A pointer that was NULL before it was anything is a reason of its own.
bool is_same_crash(const culprit_record_crash &crash, const Step &step) {
  const culprit_record_crash &known = step.crash.numbers;
  return crash.kind == known.kind && crash.signal == known.signal && crash.place == known.place &&
         crash.place != 0 &&
         (crash.kind != CULPRIT_CRASH_SIGNAL ||
          (crash.address < kNearNull) == (known.address < kNearNull));
}

} // namespace culprit::locate
