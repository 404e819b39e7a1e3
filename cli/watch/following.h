// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a run file as it grows, some times a second, into a feed; when it ends, what is left.
#pragma once

#include "cli/watch/feed.h"
#include "engine/monitor/live_run.h"

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <thread>

namespace culprit::cli {

class Following {
public:
  Following(Feed &feed, const monitor::Target &target, const std::filesystem::path &run_file);
  ~Following();
  Following(const Following &) = delete;
  Following &operator=(const Following &) = delete;

private:
  void follow(const std::stop_token &stop);
  void look();

  Feed &feed_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  monitor::LiveRun run_;
  std::jthread thread_; // last: starts when all else is there
};

} // namespace culprit::cli
