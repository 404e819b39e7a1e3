// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How threads come and go. The end of one is when the destructors of its thread-specific data have
// run: a key of our own, whose destructor asks to be called again as often as libc allows. What
// libc does behind that (it frees, and may give the stack to the next thread) is waited for by who
// has the baton next.
#include "runtime/locate/shadow.h"
#include "runtime/locate/state.h"
#include "runtime/locate/threads/baton.h"
#include "runtime/monitor/state.h"
#include "runtime/os/memory.h"
#include "runtime/os/process.h"
#include "runtime/os/signal.h"

namespace culprit::locate::threads {
namespace {

constexpr unsigned kRounds = 4; // of destructors, in glibc as in POSIX

__thread Thread *t_self;
__thread unsigned t_rounds;

pthread_key_t g_key;
bool g_has_others; // there was a second thread

void at_thread_end(void *thread) {
  if (++t_rounds < kRounds) {
    pthread_setspecific(g_key, thread);
    return;
  }
  end_thread(*static_cast<Thread *>(thread));
}

void make_table() {
  if (g_baton.rows)
    return;
  if (!os::map_table(g_baton.rows, kMostThreads) || pthread_key_create(&g_key, at_thread_end))
    stop_unusable("culprit: no memory for the table of threads\n");
}

Thread *take_row() {
  for (size_t i = 0; i < kMostThreads; ++i) {
    Thread &row = g_baton.rows[i];
    // The first is the first thread's, which has no slot for its stack.
    if (row.state != State::none || (i == 0 && g_baton.used))
      continue;
    row = {};
    row.state = State::runnable;
    row.number = g_baton.next_number++;
    if (g_baton.used <= i)
      g_baton.used = i + 1;
    ++g_baton.live;
    return &row;
  }
  return nullptr;
}

bool give_stack(Thread &thread, size_t length) {
  auto slot = static_cast<size_t>(&thread - g_baton.rows);
  thread.stack = data_stack_slot(slot - 1, length);
  thread.values.data_stack = thread.stack.top;
  return thread.stack.top != nullptr;
}

void set_self(Thread &thread) {
  t_self = &thread;
  t_rounds = 0;
  thread.kernel_id = os::thread_id();
  thread.handle = pthread_self();
}

// The first thread, or one that was created behind our back.
Thread &adopt() {
  make_table();
  g_baton.lock.acquire();
  Thread *thread = take_row();
  bool is_first = thread == g_baton.rows;
  if (!thread || (!is_first && !give_stack(*thread, 0)))
    stop_unusable("culprit: too many threads for a locate flavour\n");
  thread->is_first = is_first;
  set_self(*thread);
  if (is_first) {
    g_baton.holder = g_baton.installed = thread;
    g_baton.lock.release();
  } else {
    g_baton.time_decided = true;
    ++thread->inside;
    await_turn(*thread);
    g_baton.lock.release();
    --thread->inside;
  }
  pthread_setspecific(g_key, thread);
  return *thread;
}

} // namespace

Thread *known_self() { return t_self; }

Thread &self() {
  if (!t_self) [[unlikely]]
    return adopt();
  return *t_self;
}

Thread *prepare_thread(size_t stack_length) {
  Thread &creator = self();
  Inside inside(creator);
  Thread *thread = take_row();
  if (!thread)
    return nullptr;
  if (!give_stack(*thread, stack_length)) {
    thread->state = State::none;
    --g_baton.live;
    return nullptr;
  }
  g_has_others = true;
  return thread;
}

void forget_thread(Thread &thread) {
  Inside inside(self());
  if (thread.state != State::ended)
    --g_baton.live;
  thread.state = State::none;
}

void begin_thread(Thread &thread) {
  set_self(thread);
  os::set_signal_stack(thread.stack.signal_stack, thread.stack.signal_stack_bytes);
  {
    Inside inside(thread);
    await_turn(thread);
  }
  // Its variables, and what its stack holds so far, may lie where those of a thread did that is
  // gone.
  auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  auto pointer = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  if (g_on && pointer > frame)
    clear_cells(cells_of(frame, pointer - frame));
  pthread_setspecific(g_key, &thread);
}

void end_thread(Thread &thread) {
  if (is_alone())
    return; // libc will call exit(): it keeps the baton
  ++thread.inside;
  g_baton.lock.acquire();
  t_self = nullptr;
  --g_baton.live;
  for_each_thread([&](Thread &other) {
    if (other.wait.key == &thread && other.woken == Woken::not_yet)
      release(other, Woken::normally);
  });
  thread.state = thread.detached ? State::none : State::ended;
  if (!thread.is_first)
    g_baton.dying = thread.kernel_id; // the first one's id stays in use
  g_baton.installed = nullptr;
  pass_on(thread);
  g_baton.lock.release();
}

Thread *find_thread(pthread_t handle) {
  Thread *found = nullptr;
  for_each_thread([&](Thread &thread) {
    if (pthread_equal(thread.handle, handle))
      found = &thread;
  });
  return found;
}

void detach_thread(Thread &thread) {
  Inside inside(self());
  thread.detached = true;
  if (thread.state == State::ended)
    thread.state = State::none;
}

void cancel_wait(Thread &thread) {
  Inside inside(self());
  if (thread.state == State::waiting && thread.wait.cancellable)
    release(thread, Woken::cancelled);
}

bool depends_on_time() { return g_baton.time_decided || (!g_has_others && monitor::has_threads()); }

void lock() {
  if (!g_baton.rows)
    return;
  ++self().inside;
  g_baton.lock.acquire();
}

void unlock() {
  if (!g_baton.rows)
    return;
  g_baton.lock.release();
  --self().inside;
}

void reset_in_child() {
  if (!g_baton.rows)
    return;
  g_baton.lock.reset();
  Thread &me = self();
  for_each_thread([&](Thread &other) {
    if (&other != &me)
      other.state = State::none;
  });
  me.inside = 0;
  me.kernel_id = os::thread_id();
  g_baton.live = 1;
  g_baton.waiting = g_baton.outside = 0;
  g_baton.holder = g_baton.installed = &me;
  g_baton.dying = 0;
}

} // namespace culprit::locate::threads
