// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scheduler of a locate flavour: one thread at a time, the holder of the *baton*, and which one
// never depends on time. The baton changes hands only in calls of these functions: at waits, at the
// end of a thread, at yield(). The next holder is the next runnable thread by number. With the
// baton go the globals of abi/locate.h, all but the clock.
//
//   Waits name what they wait for (an address); wake() lets those go that waited longest. The
//   kernel decides nothing: mutexes, conditions and the rest are built of these two.
//   Time-outs, descriptors and what other processes do are looked at when no thread can run,
//   or when there were so many switches since that somebody may spin for them. Which time-out
//   comes first is decided by a clock of our own that moves only by time-outs.
//   A thread goes *outside* for a system call that blocks and that cannot be asked about first: the
//   others go on, and it gets in line when it is back. From then on the order depends on time.
//   No thread can run, none will be woken: a deadlock, which is a crash.
//   A signal's handler needs the baton as everything else: of a thread that waits it runs once it
//   has it, in between (signals.cpp).
//
// Without a second thread nothing happens here. Threads that others create (libc's own, for timers)
// are taken in when they first come here.
#pragma once

#include "runtime/locate/threads/thread.h"

namespace culprit::locate::threads {

Thread &self();
Thread *known_self(); // null: not taken in yet, or ended

// Kernel's id of the thread that has the baton; 0: nobody has, or it has never been asked for.
int holder_id();

// One thread has been all there is.
bool is_alone();

// The others first, if any can run.
void yield();
// As often as it is called, so often a yield(): by functions that a thread may call again and again
// in a loop that waits for another.
void step();

// Never not_yet.
Woken wait(const Wait &wait);
// Up to so many; how many there were.
size_t wake(const void *key, size_t most = SIZE_MAX);

// Around a system call that blocks.
void go_outside();
void come_back();

// A row for a thread that is about to be created: runnable, and waits for its first turn. Null:
// there are too many.
Thread *prepare_thread(size_t stack_length);
void forget_thread(Thread &thread); // it could not be created, or was joined
void begin_thread(Thread &thread);  // on it; returns with the baton
// On it, when all code of the target's has run.
void end_thread(Thread &thread);
Thread *find_thread(pthread_t handle); // null: unknown, or gone and detached
void detach_thread(Thread &thread);
void cancel_wait(Thread &thread);

// Signals, for signals.cpp: true: the handler will run later.
bool defer_signal(int signal, const siginfo_t &info);
// Around a handler: whether the baton had to be taken for it.
bool enter_handler();
void leave_handler(bool taken);
// Set by signals.cpp: runs the target's handler.
extern void (*g_run_handler)(int signal, siginfo_t *info);

// Whether something besides the program itself decided about the order of threads.
bool depends_on_time();

void lock();
void unlock();
void reset_in_child(); // of a fork: the caller is the only thread

} // namespace culprit::locate::threads
