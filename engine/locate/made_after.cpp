// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See made_after.h.
#include "engine/locate/made_after.h"

#include "abi/locate.h"

#include <algorithm>

namespace culprit::locate {
namespace {

uint64_t newest_blamed(const Step &step) {
  uint64_t newest = 0;
  for (const Suspect &suspect : step.suspects)
    if (suspect.candidate.suppress)
      newest = std::max(newest, time_of(suspect.candidate.id));
  return newest;
}

} // namespace

bool made_after(const Step &step, const Step &met) {
  // The two pointers of a double free are told apart by definitions that a mere copy is given where
  // it is handed on, long after it was made.
  const uint64_t newest = newest_blamed(met);
  if (newest == 0 || step.error == ErrorKind::double_free || met.layout != step.layout ||
      !step.grew || step.belongs_to)
    return false;
  return std::ranges::all_of(step.suspects, [&](const Suspect &suspect) {
    return !suspect.candidate.suppress || time_of(suspect.candidate.id) > newest;
  });
}

bool is_met_again(const culprit_record_crash &crash, const Step &met) {
  return crash.kind == met.crash.numbers.kind && crash.place == met.crash.numbers.place &&
         crash.place != 0;
}

} // namespace culprit::locate
