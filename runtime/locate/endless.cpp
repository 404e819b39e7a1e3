// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See endless.h.
#include "runtime/locate/endless.h"

#include "runtime/locate/crash.h"
#include "runtime/locate/signals.h"
#include "runtime/locate/threads/scheduler.h"
#include "runtime/locate/values.h"
#include "runtime/os/process.h"
#include "runtime/os/signal.h"
#include "runtime/os/stack.h"
#include "runtime/os/thread.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>

namespace culprit::locate {
namespace {

// The highest but one: programs that want one of these take the lowest.
constexpr int kSignal = 63;
constexpr uint64_t kAgain = 1000; // milliseconds from one signal to the next
constexpr unsigned kPatience = 3; // signals without a step between them: it waits in the kernel
constexpr long long kSingleStep = 0x100; // the flag of the machine

// Steps until what was made before the signal is out of use, then to look, then to meet what was
// found once more.
constexpr uint64_t kWarm = 10'000;
constexpr uint64_t kLook = 30'000;
constexpr uint64_t kMeet = 60'000;

struct Known {
  uintptr_t pc;
  AccessRows row; // empty: it has none
};
constexpr size_t kKnown = size_t{1} << 12;
Known g_known[kKnown];

struct Stepping {
  bool on;
  Id arrival; // when the signal came
  uint64_t steps;
  uint64_t seen;    // steps at the last signal
  unsigned without; // signals since there was a step
  Id newest;        // that it goes round by; 0: none
  uint32_t place;   // that uses it
};
Stepping g_stepping;

AccessRows known_row(uintptr_t pc) {
  Known &known = g_known[(pc ^ pc >> 12) % kKnown];
  if (known.pc != pc)
    known = {pc, row_at(pc)};
  return known.row;
}

[[noreturn]] void stop(const ucontext_t *context, const Registers *registers) {
  g_stepping.on = false;
  auto pc = static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
  auto frame = static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RBP]);
  Crash crash{CULPRIT_CRASH_ENDLESS, 0, 0, pc, frame, 0, 0};
  crash.registers = registers;
  crash.newest = registers ? g_stepping.newest : 0;
  tell_crash(crash);
  os::write_error("culprit: it does not end: terminated\n");
  os::die_of(SIGKILL);
}

Id newest_before(const Told &told, Id limit) {
  Id newest = 0;
  for (Id id : told.leaves)
    if (id > newest && id <= limit)
      newest = id;
  return newest;
}

void look(const Told &told) {
  Id id = newest_before(told, g_stepping.arrival);
  bool is_better =
      id > g_stepping.newest || (id == g_stepping.newest && told.place < g_stepping.place);
  if (!id || !is_better)
    return;
  g_stepping.newest = id;
  g_stepping.place = told.place;
}

// Some waits (pause, poll, sleep) a signal ends for good: the program would go on as if it had not
// waited.
bool has_ended_a_wait(const ucontext_t *context) {
  auto pc = static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
  constexpr unsigned char kSystemCall[] = {0x0f, 0x05};
  return context->uc_mcontext.gregs[REG_RAX] == -EINTR &&
         os::is_readable(pc - sizeof kSystemCall) &&
         !__builtin_memcmp(reinterpret_cast<const void *>(pc - sizeof kSystemCall), kSystemCall,
                           sizeof kSystemCall);
}

void handle(int, siginfo_t *, void *raw) {
  auto *context = static_cast<ucontext_t *>(raw);
  if (int turn = threads::holder_id(); turn && turn != os::thread_id()) {
    os::send_to_thread(turn, kSignal);
    return;
  }
  if (g_stepping.on) { // perhaps in the midst of a step
    g_stepping.without = g_stepping.steps == g_stepping.seen ? g_stepping.without + 1 : 0;
    g_stepping.seen = g_stepping.steps;
    if (g_stepping.without >= kPatience)
      stop(context, nullptr);
    return;
  }
  if (has_ended_a_wait(context))
    stop(context, nullptr);
  uint64_t blocked = 0;
  __builtin_memcpy(&blocked, &context->uc_sigmask, sizeof blocked);
  if (blocked >> (SIGTRAP - 1) & 1) // the kernel would end it at the first step
    return;
  g_stepping = {};
  g_stepping.on = true;
  g_stepping.arrival = __culprit_clock | CULPRIT_ID_DEFINITION_MASK;
  context->uc_mcontext.gregs[REG_EFL] |= kSingleStep;
}

} // namespace

bool take_step(ucontext_t *context) {
  if (!g_stepping.on)
    return false;
  uint64_t steps = ++g_stepping.steps;
  if (steps > kWarm + kLook + kMeet || (steps > kWarm + kLook && !g_stepping.newest))
    stop(context, nullptr);
  AccessRows row = known_row(static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]));
  if (steps <= kWarm || !row.first)
    return true;
  Registers registers;
  read_registers(context, registers);
  Told told =
      find_told(row, static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]), registers);
  if (steps <= kWarm + kLook)
    look(told);
  else if (told.place == g_stepping.place &&
           newest_before(told, g_stepping.arrival) == g_stepping.newest)
    stop(context, &registers);
  return true;
}

void limit_time(uint64_t milliseconds) {
  if (!milliseconds)
    return;
  os::SignalAction ours{};
  ours.handler = reinterpret_cast<uintptr_t>(&handle);
  ours.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  if (!os::change_signal_action(kSignal, &ours, nullptr))
    os::send_after(kSignal, milliseconds, kAgain);
}

} // namespace culprit::locate
