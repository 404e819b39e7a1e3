// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/showing.h"

#include "cli/watch/rest.h"
#include "cli/watch/screen.h"
#include "report/live/frame.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace culprit::cli {

using report::live::State;

namespace {

// As Ctrl-C does. Who started us may have it ignored (a shell, for what runs in the background);
// SIGTERM is handled alike.
void interrupt_us() {
  struct sigaction current{};
  const bool ignored = ::sigaction(SIGINT, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
  ::kill(::getpid(), ignored ? SIGTERM : SIGINT);
}

} // namespace

Showing::Showing(Feed &feed, report::Style style)
    : feed_(feed), style_(style), thread_([this](const std::stop_token &stop) {
        if (Screen::is_there(STDOUT_FILENO))
          draw(stop);
        else
          say(stop);
      }) {}

void Showing::draw(const std::stop_token &stop) const {
  constexpr std::chrono::milliseconds kInterval(250);
  Screen screen(STDOUT_FILENO);
  size_t chosen = 0;
  std::optional<State> paused; // as it was then
  while (!stop.stop_requested()) {
    const State now = paused ? *paused : feed_.copy();
    const auto [width, height] = screen.size();
    // One column stays free: some terminals wrap when the last one is written.
    screen.draw(report::live::frame(now, {.width = std::max<size_t>(width, 2) - 1,
                                          .height = height,
                                          .chosen = chosen,
                                          .paused = paused.has_value(),
                                          .style = style_}));
    for (const Key &key : screen.keys(kInterval))
      switch (key.kind) {
      case KeyKind::quit:
        interrupt_us();
        break;
      case KeyKind::pause:
        paused = paused ? std::nullopt : std::optional(now);
        break;
      case KeyKind::up:
        chosen = chosen == 0 ? 0 : chosen - 1;
        break;
      case KeyKind::down:
        chosen = std::min(chosen + 1, now.metrics.size() - 1);
        break;
      case KeyKind::number:
        chosen = std::min(key.number, now.metrics.size()) - 1;
        break;
      }
  }
}

void Showing::say(const std::stop_token &stop) const {
  uint64_t said = 0;
  const auto tell = [&] {
    const State state = feed_.copy();
    if (state.course.added() == said)
      return;
    said = state.course.added();
    fmt::print("{}\n", report::live::line(state));
    std::fflush(stdout);
  };
  while (!stop.stop_requested()) {
    tell();
    rest(stop, std::chrono::seconds(1));
  }
  tell();
}

} // namespace culprit::cli
