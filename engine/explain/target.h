// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in its explain flavour: executed with a trace, or up to a point, where it is copied and
// tested again and again.
#pragma once

#include "abi/explain.h"
#include "engine/error.h"
#include "engine/explain/snapshot.h"
#include "engine/explain/tables.h"
#include "engine/explain/trace.h"
#include "engine/launch/launch.h"
#include "engine/launch/object_service.h"
#include "engine/launch/temporary.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace culprit::explain {

struct Execution {
  Trace trace;
  launch::Outcome outcome;
  bool changed_files = false;

  bool is_endless() const { return outcome.status.ending == launch::Ending::timed_out; }
};

// How a test ended.
struct End {
  enum class How { ended, endless, unusable } how = How::ended;
  int status = 0;       // as wait(2) has it
  uint32_t site = 0;    // the last point it came to
  std::string out = {}; // what it wrote since it was stopped
  std::string err = {};
};

class Stopped;

class Target {
public:
  struct Options {
    std::string typed; // PROG as the user wrote it
    unsigned jobs = 1;
    std::function<void(std::string_view flavour, const std::filesystem::path &file)> on_make = {};
  };
  static Result<Target> open(const Options &options);

  const launch::Program &program() const { return program_; }
  const Tables &tables() const { return tables_; }

  // A run that is known not to end (endless.h) ends as timed out after so many events; 0: it ends
  // by itself.
  Result<Execution> trace(launch::Request request, const std::filesystem::path &scratch,
                          size_t endless_events = 0) const;

  struct StopOptions {
    std::filesystem::path scratch;
    std::chrono::milliseconds patience; // how long a test may take
    // The program changes files: a test must not see what another has written.
    bool changes_files = false;
    // Blocks get as much room as those that they correspond to here; it must outlive the run.
    const Snapshot *roomy_for = nullptr;
  };
  // At the point of this index.
  Result<std::unique_ptr<Stopped>> stop(launch::Request request, uint64_t index,
                                        const StopOptions &options) const;

private:
  Target(launch::Program program, Tables tables)
      : program_(std::move(program)), tables_(std::move(tables)) {}

  launch::Program program_;
  Tables tables_;
};

// A program and how to run it.
struct Run {
  const Target &target;
  launch::Request request;
};

// What the error of a run says that cannot be tested where it was to stop.
inline constexpr std::string_view kSeveralThreads =
    "the program has more than one thread at the point to be tested";

// A run that stands at a point. It ends with this object.
class Stopped {
public:
  ~Stopped();
  Stopped(const Stopped &) = delete;
  Stopped &operator=(const Stopped &) = delete;

  const Snapshot &snapshot() const { return snapshot_; }
  // Copies of it, each with one of these patches (empty: none), executed to their ends at the same
  // time; not more than kMostAtOnce. If the program changes files, each is a copy of another
  // execution, whose files are its own.
  static constexpr size_t kMostAtOnce = CULPRIT_MOST_TESTS;
  Result<std::vector<End>> test(const std::vector<std::string> &patches);

private:
  friend class Target;
  struct Conversation;
  Stopped(launch::TemporaryDirectory directory, std::chrono::milliseconds patience);
  static Result<std::unique_ptr<Stopped>> create(const launch::Request &request, uint64_t index,
                                                 const Target::StopOptions &options);
  std::filesystem::path snapshot_file() const { return directory_.path() / "snapshot"; }
  Result<void> start(launch::Request request, uint64_t index);
  Result<std::vector<End>> test_copies(const std::vector<std::string> &patches);
  Result<End> test_again(const std::string &patch) const;
  Result<std::string> hear();

  launch::TemporaryDirectory directory_;
  std::chrono::milliseconds patience_;
  std::shared_ptr<Conversation> conversation_;
  std::unique_ptr<launch::ObjectService> service_;
  Snapshot snapshot_;
  size_t tests_ = 0;
  struct Again {
    launch::Request request;
    uint64_t index;
    Target::StopOptions options;
  };
  std::optional<Again> again_; // how to come here once more, if that is needed
  std::jthread run_;           // first to end, after the next
  std::optional<std::stop_callback<std::function<void()>>> on_interrupt_;
};

} // namespace culprit::explain
