// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See counted_place.h.
#include "runtime/locate/counted_place.h"

#include "runtime/os/memory.h"

#include <signal.h>

namespace culprit::locate {
namespace {

constexpr unsigned char kBreakpoint = 0xcc; // int3, which traps behind itself
constexpr long long kSingleStep = 0x100;    // the flag of the machine
constexpr size_t kMost = 4096;              // copies of one access, by inlining and unrolling

struct Patched {
  unsigned char *at;
  unsigned char first; // byte of the instruction
};
Patched g_patched[kMost];
size_t g_count;
uint64_t g_executions;
Patched *g_stepping; // over this one; null: none
bool g_steps_on;     // somebody else steps, too

bool patch(uintptr_t instruction) {
  auto *at = reinterpret_cast<unsigned char *>(instruction);
  if (g_count == kMost || !os::make_code_writable(reinterpret_cast<char *>(at), 1))
    return false;
  g_patched[g_count++] = {at, *at};
  *at = kBreakpoint;
  return true;
}

Patched *patched_at(uintptr_t pc) {
  for (size_t i = 0; i < g_count; ++i)
    if (reinterpret_cast<uintptr_t>(g_patched[i].at) == pc)
      return &g_patched[i];
  return nullptr;
}

} // namespace

bool count_place(AccessRows rows, uint32_t place) {
  bool all = true;
  each_row(rows, [&](const culprit_access_row &row, uintptr_t instruction) {
    if (row.place == place)
      all = all && patch(instruction);
  });
  return all && g_count;
}

bool count_place(uint32_t place) { return count_place(unit_rows(), place); }

uint64_t executions_of_place() { return g_executions; }

bool take_breakpoint(int code, ucontext_t *context) {
  greg_t &flags = context->uc_mcontext.gregs[REG_EFL];
  greg_t &pc = context->uc_mcontext.gregs[REG_RIP];
  if (g_stepping && code == TRAP_TRACE) {
    *g_stepping->at = kBreakpoint;
    g_stepping = nullptr;
    if (!g_steps_on)
      flags &= ~kSingleStep;
    return !g_steps_on;
  }
  Patched *found = g_count ? patched_at(static_cast<uintptr_t>(pc) - 1) : nullptr;
  if (!found || code == TRAP_TRACE)
    return false;
  ++g_executions;
  *found->at = found->first;
  pc = reinterpret_cast<greg_t>(found->at);
  g_stepping = found;
  g_steps_on = flags & kSingleStep;
  flags |= kSingleStep;
  return true;
}

} // namespace culprit::locate
