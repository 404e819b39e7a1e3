// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sigaction, signal, siginterrupt and the two that block signals, made anew from the system call,
// as POSIX and the GNU manual describe them: the real ones are not to be had in a static
// executable. In a locate flavour the signals that crashes come with are kept (locate/signals.h),
// and those by the machine are not blocked.
#include "runtime/locate/signals.h"

#include <errno.h>
#include <signal.h>

using namespace culprit;

#define CULPRIT_PUBLIC extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kFirstOfLibc = 32; // libc keeps two for itself
constexpr int kLastOfLibc = 33;

uint64_t g_interrupting; // signals whose handlers interrupt system calls, as siginterrupt left it

uint64_t bit_of(int number) { return uint64_t{1} << (number - 1); }

bool is_valid(int number) {
  return number > 0 && number < os::kSignals && (number < kFirstOfLibc || number > kLastOfLibc);
}

int change(int number, const os::SignalAction *now, os::SignalAction *before) {
  int error = is_valid(number) ? locate::change_action(number, now, before) : EINVAL;
  if (!error)
    return 0;
  errno = error;
  return -1;
}

os::SignalAction from_libc(const struct sigaction &action) {
  os::SignalAction result{};
  result.handler = reinterpret_cast<uintptr_t>(action.sa_handler);
  result.flags = static_cast<unsigned>(action.sa_flags);
  __builtin_memcpy(&result.mask, &action.sa_mask, sizeof result.mask);
  return result;
}

int change_mask(int how, const sigset_t *set, sigset_t *before) {
  uint64_t mask = 0;
  uint64_t old = 0;
  if (set) {
    __builtin_memcpy(&mask, set, sizeof mask);
    mask &= ~(bit_of(kFirstOfLibc) | bit_of(kLastOfLibc));
    if (how != SIG_UNBLOCK)
      mask = locate::without_faults(mask);
  }
  int error = os::change_signal_mask(how, set ? &mask : nullptr, &old);
  if (!error && before) {
    *before = {};
    __builtin_memcpy(before, &old, sizeof old);
  }
  return error;
}

struct sigaction to_libc(const os::SignalAction &action) {
  struct sigaction result{};
  result.sa_handler = reinterpret_cast<void (*)(int)>(action.handler);
  result.sa_flags = static_cast<int>(action.flags);
  __builtin_memcpy(&result.sa_mask, &action.mask, sizeof action.mask);
  return result;
}

} // namespace

CULPRIT_PUBLIC int sigaction(int number, const struct sigaction *now,
                             struct sigaction *before) noexcept {
  os::SignalAction action{};
  os::SignalAction old{};
  if (now)
    action = from_libc(*now);
  if (change(number, now ? &action : nullptr, &old))
    return -1;
  if (before)
    *before = to_libc(old);
  return 0;
}

CULPRIT_PUBLIC __sighandler_t signal(int number, __sighandler_t handler) noexcept {
  os::SignalAction action{};
  os::SignalAction old{};
  if (!is_valid(number) || handler == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  action.handler = reinterpret_cast<uintptr_t>(handler);
  action.mask = bit_of(number);
  action.flags =
      __atomic_load_n(&g_interrupting, __ATOMIC_RELAXED) & bit_of(number) ? 0 : SA_RESTART;
  if (change(number, &action, &old))
    return SIG_ERR;
  return reinterpret_cast<__sighandler_t>(old.handler);
}

CULPRIT_PUBLIC int siginterrupt(int number, int interrupts) noexcept {
  os::SignalAction action{};
  if (change(number, nullptr, &action))
    return -1;
  if (interrupts) {
    __atomic_fetch_or(&g_interrupting, bit_of(number), __ATOMIC_RELAXED);
    action.flags &= ~uint64_t{SA_RESTART};
  } else {
    __atomic_fetch_and(&g_interrupting, ~bit_of(number), __ATOMIC_RELAXED);
    action.flags |= SA_RESTART;
  }
  return change(number, &action, nullptr);
}

CULPRIT_PUBLIC int sigprocmask(int how, const sigset_t *set, sigset_t *before) noexcept {
  int error = change_mask(how, set, before);
  if (!error)
    return 0;
  errno = error;
  return -1;
}

CULPRIT_PUBLIC int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) noexcept {
  return change_mask(how, set, before);
}
