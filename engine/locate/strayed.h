// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes that leave the variable, the member or the block that they are meant for: what the runtime
// told of them when they were left out as targets, and what was written over by whom.
#pragma once

#include "engine/locate/iteration.h"

#include <cstdint>
#include <vector>

namespace culprit::locate {

// Where what a suspect made was to be copied to where there is no room for it.
std::vector<uint64_t> copy_of(const Suspect &suspect, const Execution &execution);

// Memory beside an object, or a return address, was written with a value that was defined
// elsewhere.
bool watches_damage(const Step &step);

// A pointer that the crash has used was written in pieces, one of which this suspect made: who put
// it there.
std::vector<uint64_t> brought_by(const Suspect &suspect, const Step &step,
                                 const Execution &execution);

// A library function that writes behind the end of the variable it was given, or of a member:
// whatever comes of it later, that is what it is. (Behind a block there is a guard, which tells by
// itself.) So does a store, if it is known what it was meant for; what it made may be copied to
// where there is no room, too, but that is another place.
bool overran_variable(const Suspect &suspect, const Step &step, const Execution &execution);

// What a write that left what it was meant for has overrun.
ErrorKind overflow_by(const Definition &writer);

// The same of one that is only found as who wrote there before the suspect: it is never executed as
// a target, but which variable it was meant for is known (of an array of numbers, so that the
// pointer that it ran over is none of it).
bool ran_over_array(const Candidate &earlier, const Suspect &suspect, const Step &step,
                    const Tables &tables);

} // namespace culprit::locate
