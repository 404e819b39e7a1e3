// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drawing is left to a thread of its own: advance() is called from launches and must cost nothing,
// and the time left has to go on when nothing finishes.
#include "cli/progress.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace culprit::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kBarInterval = 200ms;
constexpr auto kLineInterval = 5000ms;
constexpr size_t kWidestBar = 40;
constexpr size_t kNarrowestBar = 5;
constexpr std::string_view kEraseLine = "\r\x1b[K";

size_t terminal_width(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

void write_text(int descriptor, std::string_view text) {
  // Progress is a courtesy: a terminal that does not take it is no reason to fail.
  [[maybe_unused]] ssize_t written = ::write(descriptor, text.data(), text.size());
}

} // namespace

ProgressStyle progress_style(int descriptor, bool quiet) {
  if (quiet)
    return ProgressStyle::none;
  const char *terminal = std::getenv("TERM");
  bool dumb = !terminal || !*terminal || std::string_view(terminal) == "dumb";
  return ::isatty(descriptor) && !dumb ? ProgressStyle::bar : ProgressStyle::lines;
}

std::string render_time_left(const ProgressState &state) {
  if (state.done == 0 || state.done >= state.total)
    return {};
  auto left = state.elapsed.count() * static_cast<int64_t>(state.total - state.done) /
              static_cast<int64_t>(state.done);
  int64_t seconds = (left + 999) / 1000;
  if (seconds < 100)
    return fmt::format("{} s left", seconds);
  int64_t minutes = (seconds + 59) / 60;
  if (minutes < 100)
    return fmt::format("{} min left", minutes);
  return fmt::format("{} h left", (minutes + 59) / 60);
}

std::string render_line(const ProgressState &state) {
  if (state.total == 0)
    return fmt::format("{}: {} done", state.label, state.done);
  std::string left = render_time_left(state);
  return fmt::format("{}: {} of {} done{}{}", state.label, state.done, state.total,
                     left.empty() ? "" : ", ", left);
}

std::string render_bar(const ProgressState &state, size_t width) {
  std::string left = render_time_left(state);
  std::string text = state.total == 0 ? fmt::format("{}", state.done)
                                      : fmt::format("{}/{}{}{}", state.done, state.total,
                                                    left.empty() ? "" : ", ", left);
  size_t others = state.label.size() + text.size() + 4; // two blanks, two brackets
  if (width < others + kNarrowestBar)
    return fmt::format("{} {}", state.label, text).substr(0, width);
  size_t cells = std::min(kWidestBar, width - others);
  // Of a job that nobody knows the end of: something that moves.
  size_t filled = state.total == 0 ? state.done % (cells + 1)
                                   : cells * std::min(state.done, state.total) / state.total;
  std::string bar(filled, '=');
  if (filled > 0 && filled < cells)
    bar.back() = '>';
  bar.resize(cells, ' ');
  return fmt::format("{} [{}] {}", state.label, bar, text);
}

Progress::Progress(ProgressOptions options)
    : state_{.label = std::move(options.label), .total = options.total},
      descriptor_(options.descriptor),
      style_(options.style.value_or(progress_style(options.descriptor, options.quiet))) {
  if (style_ != ProgressStyle::none)
    ticker_ = std::jthread([this](const std::stop_token &stop) { tick(stop); });
}

Progress::~Progress() { finish(); }

void Progress::finish() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    ticker_.join();
  }
  clear();
}

void Progress::advance(size_t count) {
  std::scoped_lock lock(mutex_);
  state_.done += count;
}

void Progress::clear() {
  std::scoped_lock lock(mutex_);
  erase();
}

void Progress::tick(const std::stop_token &stop) {
  std::unique_lock lock(mutex_);
  auto interval = style_ == ProgressStyle::bar ? kBarInterval : kLineInterval;
  while (!wake_.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); }))
    draw();
}

void Progress::draw() {
  state_.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_);
  if (style_ == ProgressStyle::lines)
    return write_text(descriptor_, render_line(state_) + '\n');
  // One column stays free: some terminals wrap when the last one is written.
  size_t width = std::max<size_t>(terminal_width(descriptor_), 2) - 1;
  write_text(descriptor_, std::string(kEraseLine) + render_bar(state_, width));
  shown_ = true;
}

void Progress::erase() {
  if (shown_)
    write_text(descriptor_, kEraseLine);
  shown_ = false;
}

} // namespace culprit::cli
