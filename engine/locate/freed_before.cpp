// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See freed_before.h.
#include "engine/locate/freed_before.h"

#include "abi/locate.h"
#include "engine/heap/own_code.h"

#include <algorithm>
#include <string_view>

namespace culprit::locate {
namespace {

bool is_use_of_freed(const Step &step) {
  const uint32_t kind = step.crash.numbers.kind;
  return (kind == CULPRIT_CRASH_SIGNAL || kind == CULPRIT_CRASH_BAD_FREE) &&
         !step.suspects.empty() && step.suspects.front().candidate.part == Part::free;
}

bool is_free_too_early(const Step &step) {
  return (step.error == ErrorKind::use_after_free || step.error == ErrorKind::double_free) &&
         step.suspects.front().candidate.part == Part::free;
}

// Errors that say nothing but that a value is not what it should be.
bool is_plain(const Step &step) {
  return step.error == ErrorKind::null_dereference || step.error == ErrorKind::wild_access ||
         step.error == ErrorKind::division_by_zero || step.error == ErrorKind::bad_free;
}

// Was `inner` done by the function that did `outer`, or on behalf of it? Stacks are innermost
// first, and that function goes on in between: only what has called it stays.
bool is_on_the_way(const std::vector<uint64_t> &inner, const std::vector<uint64_t> &outer) {
  return !outer.empty() && inner.size() >= outer.size() &&
         std::equal(outer.rbegin(), outer.rend() - 1, inner.rbegin());
}

// By its linkage name.
bool is_destructor(std::string_view function) {
  return function.ends_with("D0Ev") || function.ends_with("D1Ev") || function.ends_with("D2Ev");
}

} // namespace

std::optional<size_t> destroyed_before(const std::vector<Step> &chain, const Step &step) {
  const auto is_by_destructor = [](const Suspect &suspect) {
    if (!suspect.definition)
      return false;
    const Location &at = suspect.definition->at;
    return suspect.candidate.freed_at != 0
               ? is_destructor(at.function)
               : suspect.candidate.part == Part::free && heap::is_library(at.function, at.file);
  };
  if (step.error != ErrorKind::double_free || std::ranges::none_of(step.suspects, is_by_destructor))
    return std::nullopt;
  for (size_t i = 0; i < chain.size(); ++i)
    if (is_use_of_freed(chain[i]) && chain[i].layout == step.layout &&
        time_of(step.crash.numbers.freed & ~CULPRIT_ID_MARKS) <
            time_of(chain[i].suspects.front().candidate.id))
      return i;
  return std::nullopt;
}

std::optional<size_t> freed_before(const std::vector<Step> &chain, size_t at) {
  const Step &step = chain[at];
  if (step.suspects.empty() || !(is_plain(step) || is_free_too_early(step)))
    return std::nullopt;
  const Suspect &made = step.suspects.front();
  for (size_t i = 0; i < at; ++i) {
    const Step &earlier = chain[i];
    if (!is_use_of_freed(earlier) || earlier.layout != step.layout)
      continue;
    const Suspect &freed = earlier.suspects.front();
    const bool is_same_place =
        step.crash.numbers.place != 0 && earlier.crash.numbers.place == step.crash.numbers.place;
    if (time_of(made.candidate.id) < time_of(freed.candidate.id) &&
        (is_same_place || (is_free_too_early(step) && is_on_the_way(made.stack, freed.stack))))
      return i;
  }
  return std::nullopt;
}

} // namespace culprit::locate
