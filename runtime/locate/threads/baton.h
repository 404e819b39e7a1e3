// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the scheduler share: its state, behind one lock, and the handing over of the
// baton. A thread that is in here cannot run handlers of signals; they are kept for later.
#pragma once

#include "runtime/locate/threads/scheduler.h"
#include "runtime/os/lock.h"

namespace culprit::locate::threads {

struct Baton {
  os::Lock lock;
  Thread *rows; // kMostThreads of them
  size_t used;  // no row behind this one was ever used
  size_t live;  // neither free nor ended
  size_t outside;
  size_t waiting;    // in wait(), woken or not
  Thread *holder;    // null: nobody can run
  Thread *installed; // whose values are in the globals; null: of a thread that is gone
  int dying;         // kernel's id of a thread that is on its way out with the baton; 0: none
  uint64_t next_number;
  uint64_t next_order;
  uint64_t now;   // of the clock that only waiting moves
  uint64_t haste; // grows with each switch: above a limit, time-outs are looked at
  bool time_decided;
};
extern Baton g_baton;

// The lock is held, handlers wait.
class Inside {
public:
  explicit Inside(Thread &thread);
  ~Inside();
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;

private:
  Thread &thread_;
};

template <typename Visit> void for_each_thread(Visit visit) {
  for (size_t i = 0; i < g_baton.used; ++i)
    if (g_baton.rows[i].state != State::none)
      visit(g_baton.rows[i]);
}

Thread *next_runnable(uint64_t after);
void notify(Thread &thread);
void release(Thread &thread, Woken how); // a waiting one
// The holder gives the baton to who is next, or to nobody.
void pass_on(Thread &thread);
// The globals are this thread's from now on.
void install_values(Thread &thread);
// Sleeps until it is the holder; the lock is released meanwhile.
void await_turn(Thread &thread);
void run_deferred(Thread &thread);

// Nobody can run: waits for what may change that, on behalf of all; this thread may be woken
// before.
void idle(Thread &thread);
// Looks, without waiting, at what idle() would wait for.
void look_around();

} // namespace culprit::locate::threads
