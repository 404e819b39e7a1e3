// SPDX-License-Identifier: GPL-2.0-or-later
#include "valgrind/caller.h"

#include "valgrind/modules.h"
#include "valgrind/table.h"

namespace culprit::deep {

Caller g_caller;

namespace {

constexpr UInt kFrames = 64;

Array<Caller> g_callers; // by thread
ThreadId g_running;

} // namespace

void switch_caller(ThreadId thread) {
  if (thread == g_running)
    return;
  while (g_callers.size <= thread || g_callers.size <= g_running)
    g_callers.add({});
  g_callers[g_running] = g_caller;
  g_caller = g_callers[thread];
  g_running = thread;
}

UInt call_stack(ThreadId thread, Addr instruction, Addr *addresses, UInt room, Addr *stacks) {
  const UInt depth =
      VG_(get_StackTrace)(thread, addresses, room, stacks, nullptr,
                          static_cast<Word>(instruction) - static_cast<Word>(VG_(get_IP)(thread)));
  UInt kept = 0;
  // Behind the first function of a program there are words that are no code.
  while (kept < depth && module_at(addresses[kept]) != nullptr)
    ++addresses[kept++]; // the core has subtracted one from return addresses
  return kept;
}

Addr calling_site(ThreadId thread, Addr instruction) {
  const Addr stack = VG_(get_SP)(thread);
  if (g_caller.returns_to != 0 && stack <= g_caller.stack)
    return g_caller.returns_to;
  Addr addresses[kFrames];
  Addr stacks[kFrames];
  const UInt depth = call_stack(thread, instruction, addresses, kFrames, stacks);
  for (UInt i = 1; i < depth; ++i)
    if (!is_system_code(addresses[i])) {
      g_caller = {addresses[i], stacks[i] - sizeof(Addr)};
      return g_caller.returns_to;
    }
  g_caller = {0, 0};
  return 0;
}

} // namespace culprit::deep
