// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in one of its watched flavours (abi/flavours.def), or as it is (unmodified.h): made,
// described by its sites, ready to be launched, and what a launch wrote read back.
//
// Rules: the flavour of every shared object is found again by where the run file says it lay; a run
// file of another build is an error, never judged by the wrong sites.
#pragma once

#include "engine/access/run.h"
#include "engine/build/flavour_set.h"
#include "engine/error.h"
#include "engine/heap/series.h"
#include "engine/launch/launch.h"
#include "engine/launch/object_service.h"
#include "engine/monitor/deep.h"
#include "engine/monitor/native_accesses.h"
#include "engine/monitor/native_sites.h"
#include "engine/symbolize/symbolize.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::monitor {

// One process of a launch: its heap, and what is to be said of the file itself.
struct ReadRun {
  heap::HeapRun heap;
  access::AccessRun access;       // of a flavour that does not watch accesses: watched is false
  std::string tear;               // why the file ends in the middle of a record; empty: it does not
  std::string executable;         // as the process saw it
  std::optional<int> exit_status; // none: it did not end by itself
};

// How a program is run. A model of one of them is none of the others'.
enum class How { flavour, as_it_is, deep };
How how_of_build(std::string_view build_id);

class Target {
public:
  struct Options {
    std::string typed; // PROG as the user wrote it
    std::string flavour = "monitor";
    unsigned jobs = 1;
    std::function<void(const std::filesystem::path &file)> on_make = {};
  };
  static Result<Target> open(const Options &options);
  // One that carries no bitcode, or is to be run as it is: heap graph alone, no sites.
  static Result<Target> open_as_it_is(const std::string &typed);
  // Under the Valgrind tool: access sets alone, sites from what its runs tell.
  static Result<Target> open_under_tool(const std::string &typed, const DeepOptions &options);

  const launch::Program &program() const { return program_; }
  const heap::SharedSites &sites() const { return sites_; }
  const access::SharedTables &accesses() const { return accesses_; }
  // Of what the executable carries: the same for every flavour, another after a rebuild.
  const std::string &build_id() const { return build_id_; }
  // It has a blame flavour, and sites.
  bool is_flavour() const { return how_ == How::flavour; }
  How how() const { return how_; }

  // What the program runs that is not instrumented, in a sentence; empty: nothing.
  const std::string &unseen() const { return unseen_; }

  // `common` with this flavour, and a run file written to `run_file`.
  launch::Request request(launch::Request common, const std::filesystem::path &run_file) const;

  // What the first process of a launch wrote.
  Result<ReadRun> read_run(const std::filesystem::path &run_file) const;

  // For the return addresses of a run.
  symbolize::Symbolizer symbolizer(const heap::HeapRun &run) const;
  symbolize::Symbolizer symbolizer(const access::AccessRun &run) const;
  symbolize::Symbolizer symbolizer(const std::vector<run::Module> &modules) const;
  // What our own runtime did is no call of the program's.
  void drop_own_frames(run::Stack &stack, const std::vector<run::Module> &modules) const;

private:
  Target() = default;
  std::filesystem::path file_of(const run::Module &module) const;

  launch::Program program_;
  heap::SharedSites sites_;
  access::SharedTables accesses_;
  std::vector<std::filesystem::path> flavours_; // whose sites are known
  std::string build_id_;
  std::unique_ptr<launch::ObjectService> objects_; // none for a program that is run as it is
  How how_ = How::flavour;
  std::unique_ptr<NativeSites> native_sites_;         // of programs that are no flavours
  std::unique_ptr<NativeAccesses> native_accesses_;   // under the tool
  std::filesystem::path preload_;                     // as it is: the runtime
  launch::Variables environment_;                     // under the tool
  std::unique_ptr<launch::TemporaryDirectory> names_; // under the tool
  bool reads_ = false;
  std::string unseen_;
};

} // namespace culprit::monitor
