// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs under the Valgrind tool (`--deep`, valgrind/): every store of the program and of its
// libraries is seen, whatever they were built with. The tool is optional: where it was not built,
// or where Valgrind's own part is not installed, that is said with the package that mends it.
#pragma once

#include "engine/error.h"
#include "engine/launch/launch.h"
#include "engine/launch/temporary.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace culprit::monitor {

struct DeepOptions {
  bool reads = false;
  bool counts = false;
};

struct Deep {
  launch::Program program; // to be run under the tool
  // What debug information says, for the tool; none where there is nothing to say.
  std::unique_ptr<launch::TemporaryDirectory> names;
  std::string build_id; // begins with kDeepBuild
  std::filesystem::path folder;
};

// What build ids of such programs begin with: a model of the one kind is none of the other's.
constexpr std::string_view kDeepBuild = "deep-";
constexpr std::string_view kDeepPackage = "valgrind";

// The part of Valgrind that is loaded into every program it runs, beside our tool.
std::filesystem::path deep_core();

Result<Deep> open_deep(const std::string &typed, const DeepOptions &options);

// Set-user-ID programs and the like: Valgrind does not run them.
Result<void> refuse_other_user(const std::filesystem::path &program);

// What to add to the environment of such a launch.
launch::Variables deep_environment(const Deep &deep);

} // namespace culprit::monitor
