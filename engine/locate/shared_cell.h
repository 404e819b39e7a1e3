// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small members lie in one cell, which has one id: of a struct of bytes or of bit-fields the member
// that was written last is blamed, whichever of them was used. Who wrote there before is told of a
// store that is about to be made, so the way back is gone step by step, each in an execution
// without that store, until one is met that wrote a member the crash has used and without which
// there is no such crash.
#pragma once

#include "engine/locate/iteration.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace culprit::locate {

// An execution without the store that made this id, from its time on.
struct Without {
  bool crashes = false;      // as in the step
  std::optional<Fired> left; // the store
};
using LeaveOut = std::function<Result<Without>(uint64_t id)>;

// Who wrote the member that the step's first suspect shares a cell with; nothing: it wrote what was
// used, or that is not known.
Result<std::optional<Suspect>> writer_of_member(const Step &step, const Tables &tables,
                                                const LeaveOut &leave_out);

} // namespace culprit::locate
