// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Start-up: what happens once per image before any constructor of the target, and once per fork.
// The heap needs none of it (it makes itself on first use, which may be earlier: the dynamic loader
// allocates).
#pragma once

namespace culprit::start {

void begin(int argument_count, char **arguments, char **environment);
void register_fork_handlers();

} // namespace culprit::start

// Defined by the one entry a shape of the runtime has (preinit.cpp in the archive, constructor.cpp
// in the preload library). The heap refers to it, so that a link that takes only malloc from the
// archive gets the start, too.
extern "C" const char __culprit_entry;
