// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See signals.h.
#include "runtime/locate/signals.h"

#include "runtime/locate/blocks.h"
#include "runtime/locate/counted_place.h"
#include "runtime/locate/crash.h"
#include "runtime/locate/data_stack.h"
#include "runtime/locate/endless.h"
#include "runtime/locate/flavour.h"
#include "runtime/locate/threads/scheduler.h"
#include "runtime/locate/values.h"
#include "runtime/os/memory.h"
#include "runtime/os/process.h"
#include "runtime/os/stack.h"

#include <signal.h>
#include <ucontext.h>

namespace culprit::locate {
namespace {

constexpr int kKept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr size_t kStackBytes = size_t{256} << 10; // the target's handlers run there, too
// How far below the stack pointer a function without a frame, or a probe of a large frame, writes.
constexpr uintptr_t kBelowStackPointer = uintptr_t{64} << 10;
constexpr uintptr_t kAboveStackPointer = uintptr_t{64} << 20; // the longest frame we think of

os::SignalAction g_actions[os::kSignals]; // the target's
uintptr_t g_first_frame;                  // of the main stack: nothing above it is a full stack

bool has_handler(const os::SignalAction &action) { return action.handler > 1; }

uintptr_t machine_register(const ucontext_t *context, int number) {
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[number]);
}

// The kernel does not say which address a pointer has that is none.
uintptr_t address_of(const siginfo_t *info) {
  if (info->si_code == SI_KERNEL && info->si_signo == SIGSEGV)
    return ~uintptr_t{0};
  return reinterpret_cast<uintptr_t>(info->si_addr);
}

bool is_exhausted(uintptr_t address, uintptr_t stack_pointer) {
  if (is_below_data_stack(address))
    return true;
  uintptr_t low = stack_pointer - kBelowStackPointer;
  return stack_pointer > kBelowStackPointer && address - low < kAboveStackPointer &&
         address < g_first_frame && !os::is_readable(address & ~uintptr_t{7});
}

void tell(int signal, const siginfo_t *info, const ucontext_t *context, bool by_machine) {
  uintptr_t pc = machine_register(context, REG_RIP);
  uintptr_t frame = machine_register(context, REG_RBP);
  Crash crash{CULPRIT_CRASH_ABORT, signal, 0, pc, frame, 0, 0};
  Registers registers;
  if (by_machine) {
    read_registers(context, registers);
    crash.registers = &registers;
    crash.address = address_of(info);
    bool full = (signal == SIGSEGV || signal == SIGBUS) && info->si_code != SI_KERNEL &&
                is_exhausted(crash.address, machine_register(context, REG_RSP));
    crash.kind = full ? CULPRIT_CRASH_EXHAUSTED : CULPRIT_CRASH_SIGNAL;
  }
  // What is wrong in the heap already was wrong before this, and may well be the reason.
  if (crash.kind != CULPRIT_CRASH_EXHAUSTED && !has_crashed())
    if (Unnoticed first = find_unnoticed(); first.address && first.written) {
      crash.kind = first.kind;
      crash.address = first.address;
      crash.written = first.written;
      crash.block = first.block;
    }
  tell_crash(crash);
}

void call_handler(const os::SignalAction &action, int signal, siginfo_t *info, void *context) {
  Values values;
  save(values);
  ReturnedIds returned;
  save(returned);
  __culprit_allocation_id = 0;
  if (action.flags & SA_SIGINFO)
    reinterpret_cast<void (*)(int, siginfo_t *, void *)>(action.handler)(signal, info, context);
  else
    reinterpret_cast<void (*)(int)>(action.handler)(signal);
  restore(returned);
  restore(values);
}

// As the kernel would, but for the stack it runs on.
void run_handler(int signal, siginfo_t *info, void *context) {
  os::SignalAction action = g_actions[signal];
  if (action.flags & SA_RESETHAND)
    g_actions[signal].handler = 0;
  os::block_signals_of(without_faults(action.mask));
  if (action.flags & SA_NODEFER)
    os::allow_signal(signal);
  call_handler(action, signal, info, context);
}

// Of a signal that is not kept. A thread needs the baton for it.
void deliver(int signal, siginfo_t *info, void *context) {
  os::SignalAction action = g_actions[signal];
  if (!has_handler(action) || threads::defer_signal(signal, *info))
    return;
  bool taken = threads::enter_handler();
  call_handler(action, signal, info, context);
  threads::leave_handler(taken);
}

// Of one that came while its thread had no use for it.
void deliver_late(int signal, siginfo_t *info) {
  static ucontext_t nowhere;
  os::SignalAction action = g_actions[signal];
  if (has_handler(action))
    call_handler(action, signal, info, &nowhere);
}

bool is_kept(int signal) {
  for (int kept : kKept)
    if (kept == signal)
      return true;
  return false;
}

int change_others(int signal, const os::SignalAction *now, os::SignalAction *before) {
  os::SignalAction target = g_actions[signal];
  os::SignalAction installed{};
  if (now) {
    installed = *now;
    installed.mask = without_faults(now->mask);
    if (has_handler(*now)) {
      g_actions[signal] = *now; // first: the kernel may have one to deliver
      installed.handler = reinterpret_cast<uintptr_t>(&deliver);
      installed.flags |= SA_SIGINFO;
    }
  }
  os::SignalAction old{};
  int error = os::change_signal_action(signal, now ? &installed : nullptr, &old);
  if (error) {
    g_actions[signal] = target;
    return error;
  }
  if (before)
    *before = old.handler == reinterpret_cast<uintptr_t>(&deliver) ? target : old;
  return 0;
}

void handle(int signal, siginfo_t *info, void *context) {
  if (signal == SIGTRAP && take_breakpoint(info->si_code, static_cast<ucontext_t *>(context)))
    return;
  if (signal == SIGTRAP && info->si_code == TRAP_TRACE &&
      take_step(static_cast<ucontext_t *>(context)))
    return;
  const os::SignalAction &action = g_actions[signal];
  bool by_machine = info->si_code > 0;
  bool by_itself = !by_machine && info->si_pid == os::process_id();
  if (by_machine || (by_itself && (signal == SIGABRT || !action.handler)))
    tell(signal, info, static_cast<const ucontext_t *>(context), by_machine);
  if (has_handler(action))
    return run_handler(signal, info, context);
  if (by_machine || !action.handler)
    os::die_of(signal);
}

} // namespace

void read_registers(const ucontext_t *context, Registers &registers) {
  static constexpr int kOrder[kRegisters] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
                                             REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                             REG_R12, REG_R13, REG_R14, REG_R15};
  for (size_t i = 0; i < kRegisters; ++i)
    registers[i] = machine_register(context, kOrder[i]);
}

void install_signal_handlers() {
  g_first_frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  threads::g_run_handler = deliver_late;
  if (char *stack = os::map_sparse(0, kStackBytes))
    os::set_signal_stack(stack, kStackBytes);
  for (int signal : kKept) {
    os::SignalAction ours{};
    ours.handler = reinterpret_cast<uintptr_t>(&handle);
    ours.flags = SA_SIGINFO | SA_ONSTACK;
    os::change_signal_action(signal, &ours, &g_actions[signal]);
  }
}

bool has_other_handlers() {
  for (int signal = 1; signal < os::kSignals; ++signal)
    if (has_handler(g_actions[signal]) && !is_kept(signal))
      return true;
  return false;
}

uint64_t without_faults(uint64_t mask) {
  if (!g_on)
    return mask;
  for (int kept : kKept)
    if (kept != SIGABRT)
      mask &= ~(uint64_t{1} << (kept - 1));
  return mask;
}

int change_action(int signal, const os::SignalAction *now, os::SignalAction *before) {
  if (!g_on)
    return os::change_signal_action(signal, now, before);
  if (!is_kept(signal))
    return change_others(signal, now, before);
  os::SignalAction old = g_actions[signal];
  if (now)
    g_actions[signal] = *now;
  if (before)
    *before = old;
  return 0;
}

} // namespace culprit::locate
