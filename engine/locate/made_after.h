// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What feeds a wrong value is executed before the statement that makes it. So if a later crash is
// blamed on something that was executed after what the first crash was blamed on, that is hardly
// its reason: it is another error, or a consequence of what suppression has left out. The paper
// ends with what was blamed last, whichever error that belongs to.
//
// Rules: until the first target fires, the clock is the same in all executions, and it never goes
// back; so "after the first target" can be told, whatever is left out from there on.
#ifndef CULPRIT_ENGINE_LOCATE_MADE_AFTER_H
#define CULPRIT_ENGINE_LOCATE_MADE_AFTER_H

#include "engine/locate/iteration.h"

namespace culprit::locate {

// Was all that `step` is blamed on made after what the crash of `met` is blamed on?
bool made_after(const Step &step, const Step &met);

// The same crash as that of `met`, in another execution.
bool is_met_again(const culprit_record_crash &crash, const Step &met);

} // namespace culprit::locate

#endif
