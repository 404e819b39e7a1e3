// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handler only counts and writes to a pipe, because request_stop() takes locks; a thread does
// the rest.
#include "engine/launch/interrupt.h"

#include "engine/launch/descriptor.h"
#include "engine/launch/temporary.h"

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace culprit::launch {
namespace {

constexpr int kInterrupted = 130;

std::atomic<int> first_signal = 0;
std::atomic<int> signals_seen = 0;
std::atomic<int> wake_descriptor = -1;
std::atomic<void (*)()> last_act = nullptr;

[[noreturn]] void force_exit() {
  if (void (*last)() = last_act.exchange(nullptr))
    last();
  ::_exit(kInterrupted);
}

// Leaked on purpose: the thread may still hold it while static objects are destroyed.
std::stop_source &source() {
  static auto *instance = new std::stop_source;
  return *instance;
}

extern "C" void culprit_on_interrupt(int signal) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal);
  // The thread acts on the first two; if it is stuck, the third does not wait for it.
  if (signals_seen.fetch_add(1) >= 2)
    force_exit();
  const char byte = 1;
  if (::write(wake_descriptor.load(), &byte, 1) != 1)
    force_exit();
}

void act_on_signals(Descriptor wake) {
  char byte;
  if (::read(wake.get(), &byte, 1) == 1)
    source().request_stop();
  if (::read(wake.get(), &byte, 1) == 1) {
    remove_temporaries();
    force_exit();
  }
}

void install(int signal) {
  struct sigaction current{};
  if (::sigaction(signal, nullptr, &current) != 0 || current.sa_handler == SIG_IGN)
    return;
  struct sigaction action{};
  action.sa_handler = culprit_on_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

} // namespace

std::stop_token interrupt_token() { return source().get_token(); }

int interrupt_signal() { return first_signal.load(); }

void at_forced_exit(void (*last)()) { last_act = last; }

void handle_interrupts() {
  static std::once_flag once;
  std::call_once(once, [] {
    Pipe pipe = open_pipe();
    if (!pipe.read_end.is_open())
      return; // out of descriptors: the default action of the signals still ends us
    static Descriptor write_end;
    write_end = std::move(pipe.write_end);
    wake_descriptor = write_end.get();
    // The thread blocks everything, so that handlers run on threads that are doing something else.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread(act_on_signals, std::move(pipe.read_end)).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
      install(signal);
  });
}

} // namespace culprit::launch
