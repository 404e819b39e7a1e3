// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/process.h"

#include "runtime/os/syscall.h"

#include <linux/fcntl.h>
#include <linux/membarrier.h>
#include <linux/resource.h>
#include <linux/signal.h>
#include <linux/time_types.h>

namespace culprit::os {
namespace {

uint64_t clock_ns(long clock) {
  __kernel_timespec time{};
  system_call(SYS_clock_gettime, clock, reinterpret_cast<long>(&time));
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

} // namespace

int process_id() { return static_cast<int>(system_call(SYS_getpid)); }
int parent_id() { return static_cast<int>(system_call(SYS_getppid)); }
int thread_id() { return static_cast<int>(system_call(SYS_gettid)); }

bool register_barrier() {
  return !failed(system_call(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
}

void barrier_on_all_threads() {
  if (failed(system_call(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0)))
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

uint64_t block_signals() {
  uint64_t all = ~uint64_t{0};
  uint64_t before = 0;
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&all),
              reinterpret_cast<long>(&before), sizeof all);
  return before;
}

void restore_signals(uint64_t mask) {
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask), 0, sizeof mask);
}

int execute(const char *path, char *const *arguments, char *const *environment, int descriptor) {
  auto pointers = reinterpret_cast<long>(arguments);
  auto variables = reinterpret_cast<long>(environment);
  long result = path ? system_call(SYS_execve, reinterpret_cast<long>(path), pointers, variables)
                     : system_call(SYS_execveat, descriptor, reinterpret_cast<long>(""), pointers,
                                   variables, AT_EMPTY_PATH);
  return static_cast<int>(-result);
}

void write_error(const char *message) {
  size_t length = 0;
  while (message[length])
    ++length;
  system_call(SYS_write, 2, reinterpret_cast<long>(message), static_cast<long>(length));
}

void end_process(int status) {
  for (;;)
    system_call(SYS_exit_group, status);
}

uint64_t wall_clock_ns() { return clock_ns(0); }
uint64_t monotonic_ns() { return clock_ns(1); }

uint64_t file_size_limit() {
  struct {
    uint64_t soft;
    uint64_t hard;
  } limit{~uint64_t{0}, 0};
  system_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, reinterpret_cast<long>(&limit));
  return limit.soft;
}

} // namespace culprit::os
