// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/feed.h"

namespace culprit::cli {

void Feed::change(const std::function<void(report::live::State &)> &change) {
  {
    const std::scoped_lock lock(mutex_);
    change(state_);
    ++version_;
  }
  changed_.notify_all();
}

report::live::State Feed::copy() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

void Feed::look(const std::function<void(const report::live::State &)> &look) const {
  const std::scoped_lock lock(mutex_);
  look(state_);
}

std::string Feed::wait(Listener &listener, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, patience, [&] { return listener.seen != version_; }))
    return {};
  listener.seen = version_;
  return report::live::events(state_, listener.told);
}

} // namespace culprit::cli
