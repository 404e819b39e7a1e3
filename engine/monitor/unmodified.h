// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that carry no bitcode: run as they are, with our runtime loaded in front of the C
// library (LD_PRELOAD), which sees their allocations and asks the kernel what they wrote.
//
// Rules: what cannot be watched so is refused with the reason, never watched in part: a program
// that is linked statically loads nothing, and one that brings its own malloc does not ask for
// ours.
#pragma once

#include "engine/error.h"
#include "engine/launch/launch.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace culprit::monitor {

struct Unmodified {
  launch::Program program;
  std::string build_id;          // begins with kUnmodifiedBuild
  std::filesystem::path preload; // our runtime
};

// What build ids of such programs begin with: a model of the one kind is none of the other's.
constexpr std::string_view kUnmodifiedBuild = "elf-";

// True if there is no such program, or a damaged one, too: whoever makes its flavour says so.
bool carries_bitcode(const std::string &typed);

// A program that can be run as it is: dynamically linked, no script.
struct Executable {
  std::filesystem::path path;
  uint64_t hash = 0;       // of its bytes
  bool own_malloc = false; // it is asked for blocks, not the C library
};
Result<Executable> open_executable(const std::string &typed);

Result<Unmodified> open_unmodified(const std::string &typed);

// Who told the runtime of such a program what was written between metric points; empty: it is none.
std::string written_pages_text(unsigned point_flags);

// The value of LD_PRELOAD that adds `library` to what the environment has.
std::string preloading(const std::filesystem::path &library);

} // namespace culprit::monitor
