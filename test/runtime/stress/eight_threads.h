// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the stress programs share: they are monitor flavours whose entry is their own, eight threads
// work with numbers of their own, and one more does all the time what happens now and then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

extern "C" const char __culprit_is_monitor;
const char __culprit_is_monitor = 1;
// What the archive's entry defines (start/begin.h).
extern "C" const char __culprit_entry;
const char __culprit_entry = 0;

namespace culprit::stress {

inline unsigned steps_of(int count, char **arguments) {
  return count > 1 ? static_cast<unsigned>(atoi(arguments[1])) : 20'000;
}

inline uint64_t next(uint64_t &state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// work(seed, steps) in each thread, disturb() again and again beside them, until all have ended.
template <typename Disturb>
void run_round(unsigned round, unsigned steps, void (*work)(uint64_t, unsigned), Disturb disturb) {
  constexpr size_t kThreads = 8;
  bool stop = false;
  std::thread disturbing([&] {
    while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
      disturb();
  });
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (size_t i = 0; i < kThreads; ++i)
    threads.emplace_back(work, 1 + i + round * kThreads, steps);
  for (std::thread &thread : threads)
    thread.join();
  __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
  disturbing.join();
}

} // namespace culprit::stress
