// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large the blocks of another run are (culprit_room in abi/explain.h): ours get as much room,
// so that they can become as large where they lie.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::explain {

// Of the file beside this snapshot, if there is one.
void read_rooms(const char *snapshot);
// What a block of this index and size is to have.
size_t room_of(uint64_t index, size_t size);
extern bool g_rooms_given;

} // namespace culprit::explain
