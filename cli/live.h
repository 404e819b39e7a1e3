// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges runs while they go on: what the target has written of its run file so far is read now and
// then, and each new finding is said at once, on standard error. The judgement is the one made at
// the end, on what there is; only the end decides.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace culprit::cli {

// A finding of a run so far: `id` tells it from others, `text` is the line to say.
struct LiveFinding {
  std::string id;
  std::string text;
};

class LiveWatch {
public:
  using Judge = std::function<std::vector<LiveFinding>(size_t run)>;
  using Say = std::function<void(const std::string &line)>;

  // `judge` is asked about each run that is not done; it may take its time.
  LiveWatch(size_t runs, Judge judge, Say say);
  LiveWatch(const LiveWatch &) = delete;
  LiveWatch &operator=(const LiveWatch &) = delete;

  // The run ended: it is not looked at any more, and is not being looked at on return.
  void done(size_t run);

private:
  void watch(const std::stop_token &stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<bool> done_;
  Judge judge_;
  Say say_;
  std::jthread thread_; // last: starts when all else is there
};

} // namespace culprit::cli
