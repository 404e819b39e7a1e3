// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event flavours: every access to a named byte, one culprit_event each, into the file of the option
// `events`, in the order they came; a thread's are in its own order. A shared mapping that grows,
// as the run file's; a child of fork writes none. The first events_limit are kept.
#pragma once

#include <stdint.h>

namespace culprit::access {

void append_event(uintptr_t address, uint64_t size, uint32_t row);

// At exit: cuts the file behind the last event.
void finish_events();
void forget_events(); // in the child of a fork

} // namespace culprit::access
