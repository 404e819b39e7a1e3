// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a long job is, on standard error: a bar that erases itself on a terminal, a plain line
// every few seconds elsewhere, nothing with -q. Short jobs show nothing at all.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace culprit::cli {

enum class ProgressStyle { none, lines, bar };

// What suits `descriptor`: a bar needs a terminal that can erase a line.
ProgressStyle progress_style(int descriptor, bool quiet);

struct ProgressState {
  std::string label; // "train"
  size_t done = 0;
  size_t total = 0; // 0: not known
  std::chrono::milliseconds elapsed{0};
};

// "train [=====>    ] 12/25, 40 s left", at most `width` columns; without line end.
std::string render_bar(const ProgressState &state, size_t width);
// "train: 12 of 25 done, 40 s left"
std::string render_line(const ProgressState &state);
// "40 s left", from the pace so far; empty while there is none.
std::string render_time_left(const ProgressState &state);

struct ProgressOptions {
  std::string label;
  size_t total = 0;
  bool quiet = false;
  int descriptor = 2;
  std::optional<ProgressStyle> style = {}; // empty: what suits the descriptor
};

class Progress {
public:
  explicit Progress(ProgressOptions options);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress(); // finishes

  // May be called by any thread.
  void advance(size_t count = 1);
  // Erases the bar, so that something else can be printed; it comes back by itself.
  void clear();
  // Erases the bar for good.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  void tick(const std::stop_token &stop);
  void draw();
  void erase();

  std::mutex mutex_;
  std::condition_variable_any wake_;
  ProgressState state_;
  int descriptor_;
  ProgressStyle style_;
  Clock::time_point begin_ = Clock::now();
  bool shown_ = false;
  std::jthread ticker_; // last: starts when all else is there
};

} // namespace culprit::cli
