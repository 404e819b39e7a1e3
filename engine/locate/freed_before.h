// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Once a free is suppressed that came too early, its block lives on, and so does the code that uses
// it: it may crash again for what the block holds. Whatever that is, nobody may use it any more, so
// the free that was found first stays the answer.
//
// Two such crashes are known:
//   - the same place crashes for what the block held before it was freed: a program that clears
//     what it frees, or a destructor that is executed twice.
//   - a block is used that was freed on the way to that free, in the function that freed or in one
//     that it has called: what the object owned went with it.
#ifndef CULPRIT_ENGINE_LOCATE_FREED_BEFORE_H
#define CULPRIT_ENGINE_LOCATE_FREED_BEFORE_H

#include "engine/locate/iteration.h"

#include <optional>
#include <vector>

namespace culprit::locate {

// The step whose free explains the one at this index.
std::optional<size_t> freed_before(const std::vector<Step> &chain, size_t at);

// The same of a new step, before anything of it is suppressed: what a destructor has freed in code
// that nobody sees (a string's), or in a library's header (a vector's), is not kept alive with the
// object.
std::optional<size_t> destroyed_before(const std::vector<Step> &chain, const Step &step);

} // namespace culprit::locate

#endif
