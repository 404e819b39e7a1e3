// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/following.h"

#include "cli/watch/rest.h"

namespace culprit::cli {

using report::live::Phase;
using report::live::State;

Following::Following(Feed &feed, const monitor::Target &target,
                     const std::filesystem::path &run_file)
    : feed_(feed), run_(target, run_file),
      thread_([this](const std::stop_token &stop) { follow(stop); }) {}

Following::~Following() {
  thread_.request_stop();
  thread_.join();
  look();
}

void Following::follow(const std::stop_token &stop) {
  constexpr std::chrono::milliseconds kInterval(250);
  while (!stop.stop_requested()) {
    look();
    rest(stop, kInterval);
  }
}

void Following::look() {
  const monitor::LiveRun::News news = run_.look();
  std::vector<monitor::LiveStack> stacks;
  if (news.stacks)
    stacks = run_.stacks();
  feed_.change([&](State &state) {
    for (const heap::Point &point : news.points)
      state.add(point);
    if (news.stacks) {
      state.stacks = std::move(stacks);
      ++state.stacks_version;
    }
    state.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    if (state.phase == Phase::starting && state.course.added() != 0)
      state.phase = Phase::running;
  });
}

} // namespace culprit::cli
