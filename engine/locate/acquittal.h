// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of values that differ in nothing but when they were defined, the newest is blamed first. It may
// be a sound one: the end of a vector that has grown since a wrong index was made. Suppression
// cannot tell, since what is compared with something corrupt is corrupt, whichever of the two it
// is. So the program is asked: if the statement had not been executed any more since the other
// value was defined, and memory held what it held then, would it have crashed at the same place?
// Then this statement is not the reason.
//
// Rules: only stores to memory can be left out so, and only where something was there before. What
// was there may be wrong in another way (-1 for "none" before a wrong index), so a value comes
// first only if without it there is no such crash; or, if that cannot be asked (it lies in a
// register), if the other is one that goes on from what it was (a counter). A check in a library's
// header is about what the program asks for: if of the newest it cannot be asked, and the library
// has defined it itself, the first that the program has defined comes first.
#pragma once

#include "engine/locate/iteration.h"

#include <cstddef>
#include <functional>
#include <optional>

namespace culprit::locate {

// Does a step's crash come again if this suspect's statement is not executed from a time on?
using CrashesWithout = std::function<Result<bool>(const Suspect &suspect, uint64_t time)>;

// The suspect that shall come first instead of the first; nothing: it stays.
Result<std::optional<size_t>> better_than_newest(const Step &step, const Tables &tables,
                                                 const CrashesWithout &crashes_without);

// Is this the crash of the step?
bool is_same_crash(const culprit_record_crash &crash, const Step &step);

} // namespace culprit::locate
