// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See scheduler.h.
#include "runtime/locate/threads/scheduler.h"

#include "runtime/locate/threads/baton.h"
#include "runtime/os/process.h"

namespace culprit::locate::threads {

Baton g_baton;
void (*g_run_handler)(int signal, siginfo_t *info);

namespace {

constexpr uint64_t kStepsPerTurn = 200;
constexpr uint64_t kHasteOfYield = 100;
constexpr uint64_t kMostHaste = 10'000;
constexpr uint64_t kLongestDeath = 1'000'000'000;

uint64_t g_steps;

// What the thread before this one still does on its way out (libc's own: it frees) comes first, as
// if it still had the baton.
void await_death(int kernel_id) {
  uint64_t give_up = os::monotonic_ns() + kLongestDeath;
  for (unsigned tries = 0; os::is_thread_there(kernel_id); ++tries) {
    if (tries < 20)
      os::yield_processor();
    else
      os::sleep_until(os::monotonic_ns() + 20'000);
    if (os::monotonic_ns() > give_up) {
      g_baton.time_decided = true;
      return;
    }
  }
}

void begin_wait(Thread &thread, const Wait &wait) {
  thread.wait = wait;
  thread.woken = Woken::not_yet;
  thread.order = ++g_baton.next_order;
  thread.deadline = thread.real_deadline = os::kForever;
  if (wait.nanoseconds < os::kForever / 4) {
    thread.deadline = g_baton.now + wait.nanoseconds;
    thread.real_deadline = os::monotonic_ns() + wait.nanoseconds;
  }
  thread.state = State::waiting;
  ++g_baton.waiting;
}

} // namespace

void install_values(Thread &thread) {
  if (g_baton.dying) {
    int dying = g_baton.dying;
    g_baton.dying = 0;
    await_death(dying);
  }
  if (g_baton.installed == &thread)
    return;
  if (g_baton.installed)
    save(g_baton.installed->values);
  restore(thread.values);
  g_baton.installed = &thread;
}

Inside::Inside(Thread &thread) : thread_(thread) {
  ++thread.inside;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  g_baton.lock.acquire();
}

Inside::~Inside() {
  g_baton.lock.release();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (--thread_.inside == 0 && thread_.deferred_count) [[unlikely]]
    run_deferred(thread_);
}

int holder_id() {
  const Thread *holder = g_baton.holder;
  return holder ? holder->kernel_id : 0;
}

Thread *next_runnable(uint64_t after) {
  Thread *next = nullptr;
  Thread *lowest = nullptr;
  for_each_thread([&](Thread &thread) {
    if (thread.state != State::runnable)
      return;
    if (!lowest || thread.number < lowest->number)
      lowest = &thread;
    if (thread.number > after && (!next || thread.number < next->number))
      next = &thread;
  });
  return next ? next : lowest;
}

void notify(Thread &thread) {
  __atomic_add_fetch(&thread.turn, 1, __ATOMIC_RELEASE);
  os::wake_sleepers(&thread.turn);
}

void release(Thread &thread, Woken how) {
  thread.woken = how;
  if (thread.state != State::waiting)
    return; // it runs a handler in between
  thread.state = State::runnable;
}

void pass_on(Thread &thread) {
  g_baton.holder = nullptr;
  ++g_baton.haste;
  if (g_baton.haste > kMostHaste)
    look_around();
  if (Thread *next = next_runnable(thread.number)) {
    g_baton.holder = next;
    if (next != &thread)
      notify(*next);
    return;
  }
  if (thread.state == State::waiting)
    return; // it waits for all of them: idle()
  // Somebody else must.
  Thread *idler = nullptr;
  for_each_thread([&](Thread &other) {
    if (other.state == State::waiting && !idler)
      idler = &other;
  });
  if (idler)
    notify(*idler);
}

void await_turn(Thread &thread) {
  while (g_baton.holder != &thread) {
    if (thread.deferred_count && thread.state == State::waiting) {
      thread.state = State::runnable;
      g_baton.time_decided = true;
    }
    if (!g_baton.holder) {
      Thread *next = next_runnable(thread.number);
      if (next) {
        g_baton.holder = next;
        if (next != &thread)
          notify(*next);
        continue;
      }
      idle(thread);
      continue;
    }
    uint32_t seen = __atomic_load_n(&thread.turn, __ATOMIC_ACQUIRE);
    if (thread.deferred_count && thread.state == State::waiting)
      continue;
    g_baton.lock.release();
    os::sleep_on(&thread.turn, seen, os::kForever);
    g_baton.lock.acquire();
  }
  install_values(thread);
}

void run_deferred(Thread &thread) {
  while (thread.deferred_count) {
    Deferred first = thread.deferred[0];
    uint64_t mask = os::block_signals();
    --thread.deferred_count;
    for (unsigned i = 0; i < thread.deferred_count; ++i)
      thread.deferred[i] = thread.deferred[i + 1];
    os::restore_signals(mask);
    if (g_run_handler)
      g_run_handler(first.signal, &first.info);
  }
}

bool is_alone() { return g_baton.live < 2; }

void yield() {
  if (is_alone())
    return;
  Thread &thread = self();
  Inside inside(thread);
  g_baton.haste += kHasteOfYield;
  pass_on(thread);
  await_turn(thread);
}

void step() {
  if (!is_alone() && ++g_steps % kStepsPerTurn == 0)
    yield();
}

Woken wait(const Wait &wait) {
  Thread &thread = self();
  Inside inside(thread);
  begin_wait(thread, wait);
  for (;;) {
    pass_on(thread);
    await_turn(thread);
    if (thread.woken != Woken::not_yet)
      break;
    // It has the baton for a handler only.
    g_baton.lock.release();
    int depth = thread.inside;
    thread.inside = 0;
    run_deferred(thread);
    thread.inside = depth;
    g_baton.lock.acquire();
    if (thread.woken == Woken::not_yet && wait.interruptible)
      thread.woken = Woken::interrupted;
    if (thread.woken != Woken::not_yet)
      break;
    thread.state = State::waiting;
  }
  --g_baton.waiting;
  Woken woken = thread.woken;
  thread.wait = {};
  // Its time came by switches alone: for the program it shall have passed.
  if (woken == Woken::late)
    os::sleep_until(thread.real_deadline);
  return woken;
}

size_t wake(const void *key, size_t most) {
  if (!g_baton.waiting)
    return 0;
  Inside inside(self());
  size_t count = 0;
  while (count < most) {
    Thread *first = nullptr;
    for_each_thread([&](Thread &other) {
      if (other.wait.key == key && other.woken == Woken::not_yet &&
          (!first || other.order < first->order))
        first = &other;
    });
    if (!first)
      break;
    release(*first, Woken::normally);
    first->wait.key = nullptr;
    ++count;
  }
  return count;
}

void go_outside() {
  Thread &thread = self();
  Inside inside(thread);
  thread.state = State::outside;
  ++g_baton.outside;
  pass_on(thread);
}

void come_back() {
  Thread &thread = self();
  Inside inside(thread);
  --g_baton.outside;
  thread.state = State::runnable;
  if (g_baton.installed != &thread)
    g_baton.time_decided = true;
  await_turn(thread);
}

bool defer_signal(int signal, const siginfo_t &info) {
  Thread *thread = known_self();
  if (!thread || !thread->inside)
    return false;
  if (thread->deferred_count < kMostDeferred)
    thread->deferred[thread->deferred_count++] = {signal, info};
  __atomic_add_fetch(&thread->turn, 1, __ATOMIC_RELEASE);
  return true;
}

bool enter_handler() {
  Thread *thread = known_self();
  if (!thread || thread->state != State::outside)
    return false;
  come_back();
  return true;
}

void leave_handler(bool taken) {
  if (taken)
    go_outside();
}

} // namespace culprit::locate::threads
