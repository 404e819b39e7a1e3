// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See events.h.
#include "runtime/access/events.h"

#include "abi/run_file.h"
#include "runtime/access/exact.h"
#include "runtime/access/naming_lock.h"
#include "runtime/access/objects.h"
#include "runtime/access/records.h"
#include "runtime/os/file.h"
#include "runtime/os/memory.h"
#include "runtime/os/process.h"
#include "runtime/start/options.h"

namespace culprit::access {
namespace {

enum class State : uint8_t { closed, open, failed };

State g_state;
culprit_event *g_events;
uint64_t g_limit;
uint64_t g_reserved; // events that have a place
uint64_t g_mapped;   // bytes
int g_pid;
os::FileIdentity g_identity;
constexpr uint64_t kPart = uint64_t{16} << 20;

// Under the naming lock.
State open_file() {
  const char *path = start::options().events.text;
  g_limit = start::options().events_limit;
  if (!*path || os::create_file(path, g_identity) != os::Create::made)
    return State::failed;
  uint64_t bytes = (g_limit * sizeof(culprit_event) + kPart - 1) / kPart * kPart;
  g_events = reinterpret_cast<culprit_event *>(os::reserve(0, bytes));
  g_pid = os::process_id();
  return g_events ? State::open : State::failed;
}

bool is_open() {
  State state;
  __atomic_load(&g_state, &state, __ATOMIC_ACQUIRE);
  if (state == State::closed) {
    Naming naming;
    if (g_state == State::closed) {
      State opened = open_file();
      __atomic_store(&g_state, &opened, __ATOMIC_RELEASE);
    }
    state = g_state;
  }
  return state == State::open;
}

bool has_room(uint64_t bytes) {
  if (bytes <= __atomic_load_n(&g_mapped, __ATOMIC_ACQUIRE))
    return true;
  Naming naming;
  while (g_mapped < bytes) {
    if (!os::map_file_part(start::options().events.text, g_identity, g_mapped, kPart,
                           reinterpret_cast<char *>(g_events) + g_mapped))
      return false;
    __atomic_store_n(&g_mapped, g_mapped + kPart, __ATOMIC_RELEASE);
  }
  return true;
}

} // namespace

void append_event(uintptr_t address, uint64_t, uint32_t row) {
  Name name = name_of_byte(address);
  if (!name || !is_open())
    return;
  uint64_t at = __atomic_fetch_add(&g_reserved, 1, __ATOMIC_RELAXED);
  if (at >= g_limit || !has_room((at + 1) * sizeof(culprit_event)))
    return;
  Extent extent = extent_of(address, name);
  tell_name(name);
  g_events[at] = {row, name, address, extent.start, extent.start + extent.size};
}

void finish_events() {
  if (g_state != State::open || g_pid != os::process_id())
    return;
  uint64_t events = g_reserved < g_limit ? g_reserved : g_limit;
  os::cut_file(start::options().events.text, g_identity, events * sizeof(culprit_event));
}

void forget_events() { g_state = State::failed; }

} // namespace culprit::access
