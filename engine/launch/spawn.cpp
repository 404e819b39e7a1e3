// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/spawn.h"

#include "engine/launch/capture.h"
#include "engine/launch/child.h"
#include "engine/launch/descriptor.h"
#include "engine/launch/environment.h"
#include "engine/launch/stop_event.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace culprit::launch {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr uint64_t kOutputLimit = 256ULL << 20; // a compiler that prints more is broken
constexpr auto kGrace = std::chrono::seconds(2);

enum Step : int { kStepDirectory, kStepExecute, kStepOrphan };

struct Tool {
  pid_t pid = -1;
  bool own_group = false;
  Descriptor handle; // readable when the process has ended
  Capture out;
  Capture err;
};

std::string error_text(int error) { return std::strerror(error); }

bool is_executable_file(const fs::path &path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

Result<Tool> start(const ToolRun &run) {
  if (run.argv.empty() || run.argv[0].empty())
    return fail("cannot run a tool without a name");
  const std::string &name = run.argv[0];
  std::optional<fs::path> program = find_program(name);
  if (!program)
    return fail(fmt::format("cannot run '{}': not found in PATH", name),
                "install it, or add its directory to PATH");
  // A relative name means the same file whatever directory the tool runs in.
  std::error_code path_error;
  std::string file = fs::absolute(*program, path_error).string();
  std::string directory = run.directory ? run.directory->string() : std::string();

  Variables variables = own_environment();
  set_variables(variables, run.extra_environment);
  std::vector<std::string> entries = to_entries(variables);
  std::vector<char *> environment = to_pointers(entries);
  std::vector<char *> arguments = to_pointers(run.argv);

  Pipe failure_pipe = open_pipe();
  Pipe out;
  Pipe err;
  Descriptor nothing;
  if (run.capture_output) {
    out = open_pipe();
    err = open_pipe();
    nothing = open_file("/dev/null", O_RDONLY);
  }
  if (!failure_pipe.write_end.is_open() ||
      (run.capture_output && (!err.write_end.is_open() || !nothing.is_open())))
    return fail(fmt::format("cannot run '{}': {}", name, error_text(errno)));

  const pid_t parent = ::getpid();
  pid_t child = fork_quietly();
  if (child < 0)
    return fail(fmt::format("cannot run '{}': {}", name, error_text(errno)));
  if (child == 0) {
    int report = failure_pipe.write_end.get();
    if (!end_with_parent(parent, SIGTERM))
      report_failure(report, {kStepOrphan, 0});
    if (run.capture_output) {
      ::setpgid(0, 0);
      place_descriptor(nothing.get(), 0);
      place_descriptor(out.write_end.get(), 1);
      place_descriptor(err.write_end.get(), 2);
    }
    ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC); // ours are so already; others' may not be
    if (run.directory && ::chdir(directory.c_str()) != 0)
      report_failure(report, {kStepDirectory, errno});
    reset_signals(/*keep_ignored=*/true);
    ::execve(file.c_str(), arguments.data(), environment.data());
    report_failure(report, {kStepExecute, errno});
  }
  if (run.capture_output)
    ::setpgid(child,
              child); // here too: whoever comes first, the group exists before we may signal it

  Tool tool;
  tool.pid = child;
  tool.own_group = run.capture_output;
  tool.handle = open_process(child);
  failure_pipe.write_end.close();
  ChildFailure failure;
  ssize_t count;
  do
    count = ::read(failure_pipe.read_end.get(), &failure, sizeof(failure));
  while (count < 0 && errno == EINTR);
  if (count == sizeof(failure)) {
    ::waitpid(child, nullptr, 0);
    if (failure.step == kStepDirectory)
      return fail(
          fmt::format("cannot run '{}' in '{}': {}", name, directory, error_text(failure.error)));
    return fail(fmt::format("cannot run '{}': {}", name, error_text(failure.error)));
  }
  if (run.capture_output) {
    tool.out = Capture(std::move(out.read_end), kOutputLimit);
    tool.err = Capture(std::move(err.read_end), kOutputLimit);
  }
  return tool;
}

void signal_tool(const Tool &tool, int signal) {
  ::kill(tool.own_group ? -tool.pid : tool.pid, signal);
}

// -1 (for ever) without a deadline, else what is left, rounded up.
int milliseconds_until(std::optional<Clock::time_point> deadline) {
  if (!deadline)
    return -1;
  auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1'000'000));
}

ToolOutcome follow(Tool tool, const ToolRun &run, std::stop_token stop) {
  StopEvent stop_event(stop);
  std::optional<Clock::time_point> deadline;
  if (run.timeout.count() > 0)
    deadline = Clock::now() + run.timeout;
  std::optional<Ending> ended_by_us;
  for (;;) {
    pollfd events[] = {{tool.handle.get(), POLLIN, 0},
                       {tool.out.descriptor(), POLLIN, 0},
                       {tool.err.descriptor(), POLLIN, 0},
                       {ended_by_us ? -1 : stop_event.descriptor(), POLLIN, 0}};
    int ready = ::poll(events, std::size(events), milliseconds_until(deadline));
    tool.out.read_available();
    tool.err.read_available();
    if (events[0].revents != 0)
      break;
    bool late = ready == 0 && deadline && Clock::now() >= *deadline;
    if (events[3].revents != 0 || late) {
      // A polite signal first: compilers remove their temporary files on SIGTERM. Then the other
      // one.
      signal_tool(tool, ended_by_us ? SIGKILL : SIGTERM);
      if (!ended_by_us)
        ended_by_us = late ? Ending::timed_out : Ending::cancelled;
      deadline = Clock::now() + kGrace;
    }
  }
  int wait_status = 0;
  while (::waitpid(tool.pid, &wait_status, 0) < 0 && errno == EINTR)
    ;
  // What the tool left behind in its group ends with it, if we had to end the tool.
  if (ended_by_us && tool.own_group)
    ::kill(-tool.pid, SIGKILL);
  tool.out.drain();
  tool.err.drain();
  ToolOutcome outcome{status_of_wait(wait_status), std::move(tool.out.text),
                      std::move(tool.err.text)};
  if (ended_by_us)
    outcome.status = {*ended_by_us, 0};
  return outcome;
}

} // namespace

std::optional<fs::path> find_program(std::string_view name) {
  if (name.empty())
    return std::nullopt;
  if (name.find('/') != std::string_view::npos)
    return fs::path(name);
  const char *variable = std::getenv("PATH");
  std::string_view path = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    size_t colon = path.find(':');
    std::string_view directory = path.substr(0, colon);
    fs::path candidate = fs::path(directory.empty() ? "." : directory) / name;
    if (is_executable_file(candidate))
      return candidate;
    if (colon == std::string_view::npos)
      return std::nullopt;
    path.remove_prefix(colon + 1);
  }
}

Result<ToolOutcome> run_tool(const ToolRun &run, std::stop_token stop) {
  if (stop.stop_requested())
    return ToolOutcome{{Ending::cancelled, 0}, {}, {}};
  Result<Tool> tool = start(run);
  if (!tool)
    return std::unexpected(std::move(tool.error()));
  return follow(std::move(*tool), run, std::move(stop));
}

Result<ToolsOutcome> run_tools(std::span<const ToolRun> runs, unsigned jobs, std::stop_token stop) {
  ToolsOutcome all;
  all.outcomes.resize(runs.size());
  std::optional<Error> error;
  std::mutex mutex;
  std::atomic<size_t> next = 0;
  std::stop_source failed;
  std::stop_callback forward(stop, [&] { failed.request_stop(); });

  auto work = [&] {
    for (;;) {
      size_t index = next.fetch_add(1);
      if (index >= runs.size() || failed.stop_requested())
        return;
      Result<ToolOutcome> outcome = run_tool(runs[index], failed.get_token());
      std::scoped_lock lock(mutex);
      // Those that were ended because another failed did not fail themselves.
      bool cancelled = outcome && outcome->status.ending == Ending::cancelled;
      bool bad = !cancelled && (!outcome || !outcome->status.success());
      if (!outcome && !error)
        error = outcome.error();
      if (bad && !all.first_failed)
        all.first_failed = index;
      if (outcome)
        all.outcomes[index] = std::move(*outcome);
      if (bad)
        failed.request_stop();
    }
  };
  {
    std::vector<std::jthread> workers;
    size_t count = std::clamp<size_t>(jobs, 1, std::max<size_t>(runs.size(), 1));
    for (size_t i = 1; i < count; ++i)
      workers.emplace_back(work);
    work();
  }
  if (error)
    return std::unexpected(std::move(*error));
  all.stopped = stop.stop_requested();
  return all;
}

} // namespace culprit::launch
