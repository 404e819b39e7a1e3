// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the tools are: clang 19 and its companions, and culprit's own parts beside its executable.
#pragma once

#include "engine/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit::build {

struct Toolchain {
  std::filesystem::path clang;      // C driver
  std::filesystem::path clangxx;    // C++ driver
  std::filesystem::path lld;        // ld.lld of the same version
  std::filesystem::path ar;         // llvm-ar
  std::filesystem::path ranlib;     // llvm-ranlib
  std::filesystem::path engine;     // culprit-engine, which makes flavours
  std::filesystem::path plugin;     // culprit_pass.so
  std::filesystem::path linker;     // culprit-ld, the shim between clang and the linker
  std::filesystem::path runtime;    // libculprit_rt.a
  std::filesystem::path threads;    // libculprit_threads.a, of locate flavours
  std::filesystem::path unmodified; // libculprit_unmodified.so, for programs without bitcode
  std::filesystem::path deep;       // the Valgrind tool, with what it preloads beside it; optional
  std::filesystem::path include;    // the folder of <culprit/watch.h>
};

// Fixed places of the Debian packages, and culprit's parts relative to the running executable.
// Nothing is checked here: what is missing shows when it is needed, and `culprit doctor` tells.
Toolchain find_toolchain();

// The linker clang would run: the value of -fuse-ld= (empty: the default), as a path.
std::filesystem::path find_linker(const Toolchain &toolchain, std::string_view fuse_ld);

// Changes whenever culprit's own code does: a hash over executable, plugin and runtime. Flavours
// made by another culprit are not reused.
Result<std::string> toolchain_identity(const Toolchain &toolchain);

} // namespace culprit::build
