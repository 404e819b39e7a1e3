// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When nobody can run: the next time-out, the descriptors that threads wait for, other processes,
// signals. If there is none of these either, the program is deadlocked.
#include "runtime/locate/crash.h"
#include "runtime/locate/signals.h"
#include "runtime/locate/threads/baton.h"
#include "runtime/os/process.h"
#include "runtime/text.h"

namespace culprit::locate::threads {
namespace {

constexpr size_t kMostDescriptors = 4096;
constexpr uint64_t kPollInterval = 1'000'000;
// Who waits for descriptors on behalf of all is not seen by who would wake it.
constexpr uint64_t kLookInterval = 5'000'000;

os::Polled g_polled[kMostDescriptors];

Thread *first_late() {
  Thread *first = nullptr;
  for_each_thread([&](Thread &thread) {
    if (thread.state != State::waiting || thread.deadline == os::kForever)
      return;
    if (!first || thread.deadline < first->deadline ||
        (thread.deadline == first->deadline && thread.number < first->number))
      first = &thread;
  });
  return first;
}

bool has_pollers() {
  bool found = false;
  for_each_thread(
      [&](const Thread &thread) { found |= thread.state == State::waiting && thread.wait.polls; });
  return found;
}

// All that threads wait for; the number may be cut.
size_t gather(os::Polled *polled) {
  size_t count = 0;
  for_each_thread([&](const Thread &thread) {
    if (thread.state == State::waiting)
      for (size_t i = 0; i < thread.wait.descriptor_count && count < kMostDescriptors; ++i)
        polled[count++] = thread.wait.descriptors[i];
  });
  return count;
}

bool release_ready() {
  bool found = false;
  for_each_thread([&](Thread &thread) {
    if (thread.state == State::waiting && thread.wait.descriptor_count &&
        os::poll(thread.wait.descriptors, thread.wait.descriptor_count, 0)) {
      release(thread, Woken::normally);
      found = true;
    }
  });
  return found;
}

void release_pollers() {
  for_each_thread([](Thread &thread) {
    if (thread.state == State::waiting && thread.wait.polls)
      release(thread, Woken::normally);
  });
}

void expire(Thread &thread) {
  if (g_baton.now < thread.deadline)
    g_baton.now = thread.deadline;
  release(thread, Woken::late);
}

[[noreturn]] void tell_deadlock(Thread &thread) {
  constexpr size_t kMostTold = 16;
  static char message[kMostTold * 128 + 256];
  size_t at = text::append(message, 0, "culprit: deadlock: every thread waits for another\n");
  size_t told = 0;
  for_each_thread([&](const Thread &other) {
    if (other.state != State::waiting || ++told > kMostTold)
      return;
    at = text::append(message, at, "culprit:   thread ");
    at = text::append(message, at, other.number);
    at = text::append(message, at, " waits for ");
    at = text::append(message, at, other.wait.what);
    at = text::append(message, at, "\n");
  });
  install_values(thread);
  stop_with_crash(CULPRIT_CRASH_DEADLOCK, reinterpret_cast<uintptr_t>(thread.wait.key), 0, message);
}

} // namespace

void look_around() {
  g_baton.haste = 0;
  bool ready = release_ready();
  release_pollers();
  if (Thread *late = ready ? nullptr : first_late())
    expire(*late);
}

void idle(Thread &thread) {
  Thread *late = first_late();
  size_t descriptors = gather(g_polled);
  bool polls = has_pollers();
  if (!late && !descriptors && !polls && !g_baton.outside && !has_other_handlers())
    tell_deadlock(thread);

  uint64_t now = os::monotonic_ns();
  uint64_t patience = os::kForever;
  if (late)
    patience = late->real_deadline > now ? late->real_deadline - now : 0;
  if (polls && patience > kPollInterval)
    patience = kPollInterval;
  if (descriptors && patience > kLookInterval)
    patience = kLookInterval;
  uint32_t seen = __atomic_load_n(&thread.turn, __ATOMIC_ACQUIRE);
  if (thread.deferred_count)
    return;
  g_baton.lock.release();
  if (descriptors)
    os::poll(g_polled, descriptors, patience);
  else if (patience)
    os::sleep_on(&thread.turn, seen, patience);
  g_baton.lock.acquire();
  if (g_baton.holder || next_runnable(0))
    return;
  g_baton.haste = 0;
  if (release_ready())
    return;
  release_pollers();
  late = first_late();
  if (late && os::monotonic_ns() >= late->real_deadline)
    expire(*late);
}

} // namespace culprit::locate::threads
