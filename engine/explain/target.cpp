// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See target.h. The stopped run asks, and is answered when the next test is known: the service's
// thread waits in the answer.
#include "engine/explain/target.h"

#include "engine/build/file_bytes.h"
#include "engine/build/flavour_set.h"
#include "engine/launch/changes.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <fmt/format.h>
#include <future>
#include <mutex>
#include <optional>
#include <sstream>

namespace culprit::explain {

namespace fs = std::filesystem;

namespace {
constexpr std::chrono::seconds kGrace{60};
constexpr int kSlowedDown = 50; // by a trace, at most
} // namespace

Result<Target> Target::open(const Options &options) {
  auto set = build::FlavourSet::open("explain", options.jobs, [&options](const fs::path &file) {
    if (options.on_make)
      options.on_make("explain", file);
  });
  if (!set)
    return std::unexpected(set.error());
  auto program = set->program(options.typed);
  if (!program)
    return std::unexpected(program.error());
  auto tables = read_tables(program->executable);
  if (!tables)
    return std::unexpected(tables.error());
  if (tables->sites.empty())
    return fail(fmt::format("{}: no code in it can be watched", options.typed),
                "build it with culprit cc or culprit c++; `culprit info` says what it carries");
  return Target(std::move(*program), std::move(*tables));
}

Result<Execution> Target::trace(launch::Request request, const fs::path &scratch,
                                size_t endless_events) const {
  auto directory = launch::TemporaryDirectory::create(scratch);
  if (!directory)
    return std::unexpected(directory.error());
  const fs::path file = directory->path() / "trace";
  request.program = program_;
  request.runtime_options.emplace_back("trace", file.string());
  size_t most = most_events(directory->path());
  if (endless_events != 0)
    most = std::min(most, endless_events);
  else
    request.limits.timeout *= kSlowedDown;
  request.runtime_options.emplace_back("trace_limit", std::to_string(most));
  bool changed_files = false;
  auto outcome = launch::run_and_look(request, changed_files);
  if (!outcome)
    return std::unexpected(outcome.error());
  if (outcome->status.ending == launch::Ending::cancelled)
    return fail("interrupted");
  auto trace = read_trace(file, tables_.sites.size());
  if (!trace)
    return std::unexpected(trace.error());
  if (trace->size() >= most && endless_events != 0)
    outcome->status = {launch::Ending::timed_out, 0};
  else if (trace->size() >= most)
    return fail(
        fmt::format("the run is too long to be compared: {} million statements and accesses",
                    most / 1'000'000),
        fmt::format("a smaller input that shows the same is needed, or more room in {} if that is "
                    "full; if it never ends, --timeout SECONDS makes that the failure",
                    directory->path().parent_path().string()));
  return Execution{std::move(*trace), std::move(*outcome), changed_files};
}

Result<std::unique_ptr<Stopped>> Target::stop(launch::Request request, uint64_t index,
                                              const StopOptions &options) const {
  request.program = program_;
  request.limits.timeout = std::chrono::milliseconds(0); // it waits for us; its tests have a limit
  auto stopped = Stopped::create(request, index, options);
  if (stopped && options.changes_files)
    (*stopped)->again_ = Stopped::Again{std::move(request), index, options};
  return stopped;
}

// As culprit_room has it.
static std::string rooms_of(const Snapshot &snapshot) {
  std::vector<culprit_room> rooms;
  for (const Region &each : snapshot.regions())
    if (each.room != 0 && each.kind != CULPRIT_REGION_NATIVE)
      rooms.push_back({each.index, each.size});
  std::ranges::sort(rooms, {}, &culprit_room::index);
  return {reinterpret_cast<const char *>(rooms.data()), rooms.size() * sizeof(culprit_room)};
}

struct Stopped::Conversation {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<std::string> said;  // by the run
  std::optional<std::string> order; // to it
  bool over = false;                // one of them has gone
  std::optional<Error> error;       // why it could not be started
};

Stopped::Stopped(launch::TemporaryDirectory directory, std::chrono::milliseconds patience)
    : directory_(std::move(directory)), patience_(patience),
      conversation_(std::make_shared<Conversation>()) {}

Result<std::unique_ptr<Stopped>> Stopped::create(const launch::Request &request, uint64_t index,
                                                 const Target::StopOptions &options) {
  auto directory = launch::TemporaryDirectory::create(options.scratch);
  if (!directory)
    return std::unexpected(directory.error());
  std::unique_ptr<Stopped> stopped(new Stopped(std::move(*directory), options.patience));
  if (options.roomy_for != nullptr)
    if (auto written = launch::write_atomically(
            stopped->snapshot_file().string() + CULPRIT_ROOMS_ENDING, rooms_of(*options.roomy_for));
        !written)
      return std::unexpected(written.error());
  if (auto started = stopped->start(request, index); !started)
    return std::unexpected(started.error());
  return stopped;
}

Stopped::~Stopped() {
  const std::scoped_lock lock(conversation_->mutex);
  conversation_->over = true;
  conversation_->changed.notify_all();
}

Result<void> Stopped::start(launch::Request request, uint64_t index) {
  auto service = launch::ObjectService::start(
      [talk = conversation_](const launch::ObjectRequest &said) -> std::string {
        std::unique_lock lock(talk->mutex);
        talk->said = said.name;
        talk->changed.notify_all();
        talk->changed.wait(lock, [&] { return talk->order || talk->over; });
        std::string order = talk->over ? std::string() : std::move(*talk->order);
        talk->order.reset();
        return order;
      });
  if (!service)
    return std::unexpected(service.error());
  service_ = std::make_unique<launch::ObjectService>(std::move(*service));
  const fs::path snapshot = snapshot_file();
  request.runtime_options.emplace_back("stop", std::to_string(index));
  request.runtime_options.emplace_back("snapshot", snapshot.string());
  request.runtime_options.emplace_back("tests", service_->socket().string());
  run_ = std::jthread(
      [talk = conversation_, request = std::move(request)](const std::stop_token &stop) {
        auto outcome = launch::run(request, stop);
        const std::scoped_lock lock(talk->mutex);
        if (!outcome)
          talk->error = outcome.error();
        talk->over = true;
        talk->changed.notify_all();
      });
  on_interrupt_.emplace(launch::interrupt_token(),
                        [stop = run_.get_stop_source()]() mutable { stop.request_stop(); });
  auto said = hear();
  if (!said)
    return std::unexpected(said.error());
  if (*said == "threads")
    return fail(std::string(kSeveralThreads),
                "points where it has one thread can be tested; this one is out of reach");
  auto read = read_snapshot(snapshot);
  if (!read)
    return std::unexpected(read.error());
  snapshot_ = std::move(*read);
  return {};
}

Result<std::string> Stopped::hear() {
  std::unique_lock lock(conversation_->mutex);
  // A test is ended in time by the runtime; what takes longer does not talk to us any more.
  conversation_->changed.wait_for(lock, patience_ + kGrace,
                                  [&] { return conversation_->said || conversation_->over; });
  if (launch::interrupt_token().stop_requested())
    return fail("interrupted");
  if (conversation_->error)
    return std::unexpected(*conversation_->error);
  if (!conversation_->said)
    return fail("the run did not come to the point to be tested a second time",
                "what it does depends on more than its input; nothing can be compared then");
  std::string said = std::move(*conversation_->said);
  conversation_->said.reset();
  return said;
}

namespace {

bool is_same_layout(const Snapshot &one, const Snapshot &other) {
  return std::ranges::equal(one.regions(), other.regions(), [](const Region &x, const Region &y) {
    return x.index == y.index && x.address == y.address;
  });
}

std::string content_of(const fs::path &file) {
  auto bytes = build::FileBytes::map(file);
  return bytes ? std::string(bytes->view()) : std::string();
}

} // namespace

Result<std::vector<End>> Stopped::test(const std::vector<std::string> &patches) {
  // The first copy finds the files as they are here.
  if (!again_ || (tests_ == 0 && patches.size() == 1))
    return test_copies(patches);
  std::vector<std::future<Result<End>>> running;
  running.reserve(patches.size());
  for (const std::string &patch : patches)
    running.push_back(std::async(std::launch::async, [&] { return test_again(patch); }));
  std::vector<End> ends;
  std::optional<Error> error;
  for (auto &each : running)
    if (auto end = each.get())
      ends.push_back(std::move(*end));
    else
      error = end.error();
  if (error)
    return std::unexpected(*error);
  return ends;
}

Result<End> Stopped::test_again(const std::string &patch) const {
  auto other = create(again_->request, again_->index, again_->options);
  if (!other)
    return std::unexpected(other.error());
  // A patch speaks of addresses.
  if (!is_same_layout(snapshot_, (*other)->snapshot_))
    return fail("memory lies elsewhere each time the run is executed",
                "the program changes files, so that every test is an execution of its own; "
                "addresses must be fixed for that (`culprit doctor` says whether they are)");
  auto ends = (*other)->test_copies({patch});
  if (!ends)
    return std::unexpected(ends.error());
  return std::move(ends->front());
}

Result<std::vector<End>> Stopped::test_copies(const std::vector<std::string> &patches) {
  std::vector<std::string> stems;
  std::string order;
  for (const std::string &patch : patches) {
    stems.push_back((directory_.path() / std::to_string(tests_++)).string());
    const std::string file = patch.empty() ? "" : stems.back() + ".patch";
    if (!patch.empty())
      if (auto written = launch::write_atomically(file, patch); !written)
        return std::unexpected(written.error());
    order += fmt::format("{} {}\n{}\n", patience_.count(), file, stems.back());
  }
  {
    const std::scoped_lock lock(conversation_->mutex);
    conversation_->order = std::move(order);
    conversation_->changed.notify_all();
  }
  auto said = hear();
  if (!said)
    return std::unexpected(said.error());
  std::istringstream words(*said);
  std::vector<End> ends;
  for (const std::string &stem : stems) {
    End end;
    std::string how;
    words >> how;
    end.how = how == "ended"     ? End::How::ended
              : how == "endless" ? End::How::endless
                                 : End::How::unusable;
    if (end.how == End::How::ended)
      words >> end.status;
    if (end.how != End::How::unusable)
      words >> end.site;
    end.out = content_of(stem + ".out");
    end.err = content_of(stem + ".err");
    std::error_code ignored;
    for (const char *ending : {".patch", ".out", ".err"})
      fs::remove(stem + ending, ignored);
    ends.push_back(std::move(end));
  }
  return ends;
}

} // namespace culprit::explain
