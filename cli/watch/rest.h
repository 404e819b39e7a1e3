// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting that ends when somebody says stop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace culprit::cli {

inline void rest(const std::stop_token &stop, std::chrono::milliseconds time) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, time, [] { return false; });
}

} // namespace culprit::cli
