// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process: who we are, the last words on descriptor 2, the end.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::os {

int process_id();
int parent_id();
int thread_id();
// Makes every running thread of the process pass a full memory barrier. Registered once before.
bool register_barrier();
void barrier_on_all_threads();
// Every signal waits until the mask that was is put back.
uint64_t block_signals();
void restore_signals(uint64_t mask);
// Replaces the process's image; on return: the kernel's error number. With a null path, the file
// open at `descriptor`.
int execute(const char *path, char *const *arguments, char *const *environment,
            int descriptor = -1);
void write_error(const char *message);
[[noreturn]] void end_process(int status);
uint64_t wall_clock_ns();
uint64_t monotonic_ns();
// Largest size a file of ours may grow to; above it the kernel would send SIGXFSZ to the target.
uint64_t file_size_limit();

} // namespace culprit::os
