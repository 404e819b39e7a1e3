// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of a run that goes on, shared by who follows it and who shows it.
#pragma once

#include "report/live/events.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace culprit::cli {

class Feed {
public:
  // Somebody who is told the state as it changes.
  struct Listener {
    report::live::Told told;
    uint64_t seen = 0;
  };

  explicit Feed(report::live::State state) : state_(std::move(state)) {}

  void change(const std::function<void(report::live::State &)> &change);
  report::live::State copy() const;
  void look(const std::function<void(const report::live::State &)> &look) const;

  // The events that are new to the listener; waits for some, but no longer than `patience`.
  std::string wait(Listener &listener, std::chrono::milliseconds patience);

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  report::live::State state_;
  uint64_t version_ = 1;
};

} // namespace culprit::cli
