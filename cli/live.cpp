// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/live.h"

#include <algorithm>
#include <set>

namespace culprit::cli {

LiveWatch::LiveWatch(size_t runs, Judge judge, Say say)
    : done_(runs, false), judge_(std::move(judge)), say_(std::move(say)),
      thread_([this](const std::stop_token &stop) { watch(stop); }) {}

void LiveWatch::done(size_t run) {
  const std::scoped_lock lock(mutex_);
  done_[run] = true;
}

void LiveWatch::watch(const std::stop_token &stop) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  std::vector<std::set<std::string>> said(done_.size());
  std::unique_lock lock(mutex_);
  Clock::duration pause = milliseconds(500);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, pause, [] { return false; });
    const auto begin = Clock::now();
    for (size_t run = 0; run < done_.size() && !stop.stop_requested(); ++run) {
      if (done_[run])
        continue;
      for (const LiveFinding &finding : judge_(run))
        if (said[run].insert(finding.id).second)
          say_(finding.text);
    }
    // A tenth of one core at most, however long the run file gets.
    pause = std::max<Clock::duration>(milliseconds(500), (Clock::now() - begin) * 10);
  }
}

} // namespace culprit::cli
