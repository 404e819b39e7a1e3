// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scheduler (scheduler.h) knows of a thread, and the table of all. A row is used again
// once its thread is gone; it decides which data stack the thread has, so those repeat, too.
#pragma once

#include "runtime/locate/data_stack.h"
#include "runtime/locate/values.h"
#include "runtime/os/thread.h"

#include <pthread.h>
#include <signal.h>

namespace culprit::locate::threads {

enum class State : uint8_t {
  none,     // the row is free
  runnable, // the holder of the baton, too
  waiting,
  outside, // in a system call of its own, without the baton
  ended,
};

enum class Woken : uint8_t {
  not_yet,
  normally,
  late, // its time was over
  interrupted,
  cancelled,
};

// A signal that came while its thread could not run a handler.
struct Deferred {
  int signal;
  siginfo_t info;
};
constexpr unsigned kMostDeferred = 8;

struct Wait {
  const void *key = nullptr;                 // wake() names it
  uint64_t nanoseconds = os::kForever;       // from now
  os::Polled *descriptors = nullptr;         // or when one of these is ready
  size_t descriptor_count = 0;               //
  bool polls = false;                        // or now and then: other processes have a say in it
  bool interruptible = false;                // by a handler that ran
  bool cancellable = false;                  //
  const char *what = "something of its own"; // for a deadlock's message
};

struct Thread {
  uint64_t number; // in the order of creation, from 0
  State state;
  bool detached;
  bool is_first;
  Woken woken;
  Wait wait;
  uint64_t order;         // in which threads began to wait
  uint64_t deadline;      // of the clock that only waiting moves; kForever: none
  uint64_t real_deadline; // of the machine's clock
  uint32_t turn;          // counts what it should look at; it sleeps on it
  int inside;             // depth of scheduler code that this thread executes
  int kernel_id;
  pthread_t handle;
  uint32_t deferred_count;
  Deferred deferred[kMostDeferred];
  Values values; // while another thread's are in the globals
  DataStackSlot stack;
  void *(*start)(void *);
  void *argument;
};

constexpr size_t kMostThreads = kDataStackSlots + 1;

} // namespace culprit::locate::threads
