// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data stack (abi/locate.h): as long as the machine's may be, at an address that is the same in
// every execution, with room above its first frame that an overflow can run into before it faults,
// and far more below it that nothing is mapped in than a frame is long.
#pragma once

#include <stdint.h>

namespace culprit::locate {

bool create_data_stack();

// An access there means that the stack is full.
bool is_below_data_stack(uintptr_t address);

} // namespace culprit::locate
