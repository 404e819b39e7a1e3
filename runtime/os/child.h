// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children of ours: a copy of the process that goes on by itself, and is waited for.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::os {

// As fork(2), without any handler: 0 in the child; negative: there is none.
int fork_process();

// False: it is still there after so long. `status` as wait(2) has it.
bool wait_for_child(int child, uint64_t milliseconds, int &status);
// Ends it, whatever it does, and waits for that.
void end_child(int child);

// Memory that children and parent both see; null: there is none.
char *map_shared(size_t bytes);

// What is written to the descriptor goes to this new file from now on.
bool write_to_file(int descriptor, const char *path);

} // namespace culprit::os
