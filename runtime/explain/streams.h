// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's streams. What one has read ahead, or not written yet, is neither in the program's
// memory nor in the file: a stopped run has none of either, and its descriptors stand where the
// program stands.
#pragma once

#include <stdint.h>

namespace culprit::explain {

// What is buffered is written; what was read ahead will be read again.
void settle_streams();

// Of the stream on this descriptor: culprit_stream_state. 0 if there is none.
uint32_t stream_state(int descriptor);
void set_stream_state(int descriptor, uint32_t state);

} // namespace culprit::explain
