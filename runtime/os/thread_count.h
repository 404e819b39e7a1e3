// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads can still run code of this process. One that has left the program is not among
// them: pthread_join returns when the kernel clears the thread's id, a moment before it takes the
// thread off its lists, so the kernel's own count is too high right behind a join.
#pragma once

namespace culprit::os {

// 0: the kernel does not say.
unsigned thread_count();

} // namespace culprit::os
