// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/init_process.h"

#include "engine/launch/init_image.h"
#include "engine/launch/stop_event.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit::launch {
namespace {

using Clock = std::chrono::steady_clock;

// init keeps the time-out itself; this much later we stop believing in it. Generous, since a launch
// may have to wait for the page cache before its time even begins.
constexpr auto kPatience = std::chrono::seconds(60);
constexpr auto kGrace = std::chrono::seconds(10);

std::unexpected<Error> cannot_launch(int error) {
  return fail(fmt::format("cannot start a launch: {}", std::strerror(error)));
}

// A file in memory, since a plan can be larger than a pipe.
Descriptor plan_file(const init::Plan &plan) {
  init::Writer writer;
  writer(plan);
  Descriptor file = adopt(::memfd_create("culprit-plan", MFD_CLOEXEC));
  std::string_view rest = writer.bytes;
  while (file.is_open() && !rest.empty()) {
    ssize_t count = ::write(file.get(), rest.data(), rest.size());
    if (count <= 0)
      return {};
    rest.remove_prefix(static_cast<size_t>(count));
  }
  if (file.is_open())
    ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

struct Streams {
  int in;
  int out; // -1: ours
  int err;
  int plan;
  int report;
  int image;
};

// posix_spawn rather than fork: it does not copy the engine's page tables, which LLVM makes large.
int spawn(const Streams &streams, pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  auto place = [&](int from, int to) {
    if (from >= 0)
      ::posix_spawn_file_actions_adddup2(&actions, from, to);
  };
  place(streams.in, 0);
  place(streams.out, 1);
  place(streams.err, 2);
  place(streams.plan, init::kPlanDescriptor);
  place(streams.report, init::kReportDescriptor);
  place(streams.image, init::kImageDescriptor);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, init::kImageDescriptor + 1);
  sigset_t all;
  ::sigfillset(&all);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setsigmask(&attributes,
                               &all); // init waits for signals from its first instruction
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETPGROUP);
  std::string image = fmt::format("/proc/self/fd/{}", init::kImageDescriptor);
  char name[] = "culprit-init";
  char *arguments[] = {name, nullptr};
  char *environment[] = {nullptr};
  int error = ::posix_spawn(&child, image.c_str(), &actions, &attributes, arguments, environment);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

void follow(pid_t child, const init::Plan &plan, InitEnd &end, std::stop_token stop) {
  Descriptor handle = open_process(child);
  StopEvent stop_event(std::move(stop));
  std::optional<Clock::time_point> deadline;
  if (plan.timeout_milliseconds)
    deadline = Clock::now() + std::chrono::milliseconds(plan.timeout_milliseconds) + kPatience;
  bool ordered = false;
  for (;;) {
    pollfd events[] = {{handle.get(), POLLIN, 0},
                       {end.out.descriptor(), POLLIN, 0},
                       {end.err.descriptor(), POLLIN, 0},
                       {ordered ? -1 : stop_event.descriptor(), POLLIN, 0}};
    int wait = -1;
    if (deadline)
      wait = static_cast<int>(std::clamp<int64_t>(
          std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count(), 0,
          1'000'000));
    ::poll(events, std::size(events), wait);
    end.out.read_available();
    end.err.read_available();
    if (events[0].revents != 0)
      break;
    bool asked = events[3].revents != 0;
    if (asked || (deadline && Clock::now() >= *deadline)) {
      ::kill(child, ordered ? SIGKILL : SIGTERM);
      end.asked_to_stop = end.asked_to_stop || asked;
      ordered = true;
      deadline = Clock::now() + kGrace;
    }
  }
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    ;
  end.out.drain();
  end.err.drain();
}

} // namespace

Result<InitEnd> run_init(const InitRun &run, std::stop_token stop) {
  Result<int> image = init_image();
  if (!image)
    return std::unexpected(image.error());
  Descriptor plan = plan_file(run.plan);
  Pipe report = open_pipe();
  Pipe out;
  Pipe err;
  if (run.capture) {
    out = open_pipe();
    err = open_pipe();
  }
  if (!plan.is_open() || !report.write_end.is_open() || (run.capture && !err.write_end.is_open()))
    return cannot_launch(errno);

  pid_t child = -1;
  if (int error = spawn({run.standard_input, out.write_end.get(), err.write_end.get(), plan.get(),
                         report.write_end.get(), *image},
                        child))
    return cannot_launch(error);
  report.write_end.close();
  out.write_end.close();
  err.write_end.close();

  InitEnd end;
  if (run.capture) {
    end.out = Capture(std::move(out.read_end), run.output_bytes);
    end.err = Capture(std::move(err.read_end), run.output_bytes);
  }
  follow(child, run.plan, end, std::move(stop));
  init::Report next;
  // All writers have ended, so this comes to an end as well.
  while (::read(report.read_end.get(), &next, sizeof(next)) == sizeof(next))
    end.reports.push_back(next);
  return end;
}

} // namespace culprit::launch
