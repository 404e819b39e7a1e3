// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the tests of launches: a working directory to spoil, shell scripts as targets, and a way to
// tell whether a process is still there, in whatever process namespace it may live.
#pragma once

#include "engine/launch/launch.h"
#include "engine/launch/temporary.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace culprit::launch {

inline std::filesystem::path test_program(std::string_view name) {
  const char *moved = std::getenv("CULPRIT_TEST_PROGRAMS");
  return std::filesystem::path(moved ? moved : CULPRIT_TEST_PROGRAMS) / name;
}

inline std::string file_contents(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  // Not by an iterator, which throws where a process ends while its files in /proc are read.
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_file(const std::filesystem::path &path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

// An argument for sleep(1) that no other process has.
inline std::string unique_sleep() {
  static std::atomic<int> counter = 0;
  return "3600." + std::to_string(::getpid()) + std::to_string(1000 + counter++);
}

// `program` empty: any program, shells that still have the argument in their script included.
inline bool is_running(const std::string &argument, std::string_view program = "sleep") {
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    std::string command = file_contents(entry->path() / "cmdline");
    if (command.starts_with(program) && command.find(argument) != std::string::npos)
      return true;
  }
  return false;
}

inline bool is_anything_left(const std::string &argument) { return is_running(argument, ""); }

// A minute is for ever, except on a machine that is busy with something else.
inline bool wait_for(const std::function<bool()> &condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition())
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

inline bool wait_until_running(const std::string &argument) {
  return wait_for([&] { return is_running(argument); });
}

// What the system grants a launch here, so that tests can ask less where it grants less. A
// container often refuses namespaces, a system without address randomization has nothing to fix.
struct Granted {
  bool mounts = true;
  bool process_numbers = true;
  bool addresses = true;
};

inline Granted granted(Namespaces namespaces) {
  Granted result;
  Request request{
      .program = {.original = "/bin/true"}, .directory = "/usr", .privacy = Privacy::none};
  request.namespaces = namespaces;
  Result<Outcome> outcome = run(request);
  if (!outcome)
    return result;
  for (const std::string &note : outcome->notes) {
    result.mounts = result.mounts && !note.starts_with("no mount namespace");
    result.process_numbers = result.process_numbers && !note.starts_with("process numbers");
    result.addresses = result.addresses && !note.starts_with("addresses");
  }
  return result;
}

class LaunchTest : public testing::Test {
protected:
  Request shell(std::string script) const {
    return {.program = {.original = "/bin/sh"},
            .input = {.arguments = {"-c", std::move(script)}},
            .directory = work_};
  }

  static Outcome launch(const Request &request) {
    Result<Outcome> outcome = run(request);
    if (outcome)
      return std::move(*outcome);
    ADD_FAILURE() << outcome.error().what << " / " << outcome.error().hint;
    return {};
  }

  void SetUp() override { std::filesystem::create_directory(work_); }

  TemporaryDirectory temporary_ = *TemporaryDirectory::create();
  std::filesystem::path work_ = temporary_.path() / "work, with: odd name";
};

} // namespace culprit::launch
