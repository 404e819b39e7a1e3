// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See signal.h.
#include "runtime/os/signal.h"

#include "runtime/os/process.h"
#include "runtime/os/syscall.h"

#include <linux/signal.h>
#include <linux/time.h>

// What a handler returns to. Unwinders that find no frame description know it by these very bytes;
// the nop keeps the byte before it from belonging to another function.
__asm__(".pushsection .text\n"
        "nop\n"
        ".hidden __culprit_signal_return\n"
        ".globl __culprit_signal_return\n"
        ".type __culprit_signal_return, @function\n"
        "__culprit_signal_return:\n"
        "  movq $15, %rax\n"
        "  syscall\n"
        ".size __culprit_signal_return, . - __culprit_signal_return\n"
        ".popsection\n");
extern "C" __attribute__((visibility("hidden"))) void __culprit_signal_return();

namespace culprit::os {
namespace {
constexpr uint64_t kRestorer = 0x04000000; // SA_RESTORER
}

int change_signal_action(int signal, const SignalAction *now, SignalAction *before) {
  SignalAction action{};
  if (now) {
    action = *now;
    action.flags |= kRestorer;
    action.restorer = reinterpret_cast<uintptr_t>(&__culprit_signal_return);
  }
  long result = system_call(SYS_rt_sigaction, signal, now ? reinterpret_cast<long>(&action) : 0,
                            reinterpret_cast<long>(before), sizeof action.mask);
  if (failed(result))
    return static_cast<int>(-result);
  if (before)
    before->flags &= ~kRestorer;
  return 0;
}

void set_signal_stack(void *start, size_t size) {
  struct {
    void *start;
    int flags;
    size_t size;
  } stack{start, 0, size};
  system_call(SYS_sigaltstack, reinterpret_cast<long>(&stack), 0);
}

void send_to_thread(int thread, int signal) {
  system_call(SYS_tgkill, process_id(), thread, signal);
}

void send_to_this_thread(int signal) { send_to_thread(thread_id(), signal); }

void send_after(int signal, uint64_t milliseconds, uint64_t again) {
  constexpr uint64_t kSecond = 1000;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal;
  int timer = 0;
  if (failed(system_call(SYS_timer_create, CLOCK_MONOTONIC, reinterpret_cast<long>(&event),
                         reinterpret_cast<long>(&timer))))
    return;
  const auto time = [](uint64_t span) {
    return __kernel_timespec{static_cast<long long>(span / kSecond),
                             static_cast<long long>(span % kSecond * 1'000'000)};
  };
  __kernel_itimerspec when{time(again), time(milliseconds)};
  system_call(SYS_timer_settime, timer, 0, reinterpret_cast<long>(&when), 0);
}

int change_signal_mask(int how, const uint64_t *set, uint64_t *before) {
  long result = system_call(SYS_rt_sigprocmask, how, reinterpret_cast<long>(set),
                            reinterpret_cast<long>(before), sizeof *set);
  return failed(result) ? static_cast<int>(-result) : 0;
}

void block_signals_of(uint64_t mask) {
  system_call(SYS_rt_sigprocmask, SIG_BLOCK, reinterpret_cast<long>(&mask), 0, sizeof mask);
}

void allow_signal(int signal) {
  uint64_t mask = uint64_t{1} << (signal - 1);
  system_call(SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&mask), 0, sizeof mask);
}

void die_of(int signal) {
  SignalAction standard{};
  change_signal_action(signal, &standard, nullptr);
  send_to_this_thread(signal);
  allow_signal(signal);
  end_process(128 + signal); // a signal that does not end a process
}

} // namespace culprit::os
