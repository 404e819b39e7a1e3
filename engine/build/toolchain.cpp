// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/toolchain.h"

#include "engine/build/file_bytes.h"
#include "engine/launch/spawn.h"

#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

namespace culprit::build {

namespace fs = std::filesystem;

namespace {
const fs::path kLlvmBin = "/usr/lib/llvm-19/bin";
}

Toolchain find_toolchain() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  // Either bin/culprit or lib/culprit/culprit-engine.
  const fs::path folder = self.parent_path();
  const fs::path parts =
      folder.filename() == "culprit" ? folder : folder.parent_path() / "lib" / "culprit";
  return {
      .clang = "/usr/bin/clang-19", // by this name clang signs its messages
      .clangxx = "/usr/bin/clang++-19",
      .lld = kLlvmBin / "ld.lld",
      .ar = kLlvmBin / "llvm-ar",
      .ranlib = kLlvmBin / "llvm-ranlib",
      .engine = parts / "culprit-engine",
      .plugin = parts / "culprit_pass.so",
      .linker = parts / "culprit-ld",
      .runtime = parts / "libculprit_rt.a",
      .threads = parts / "libculprit_threads.a",
      .unmodified = parts / "libculprit_unmodified.so",
      .deep = parts / "deep" / "culprit-amd64-linux",
      .include = parts.parent_path().parent_path() / "include",
  };
}

fs::path find_linker(const Toolchain &toolchain, std::string_view fuse_ld) {
  if (fuse_ld.starts_with('/'))
    return fs::path(fuse_ld);
  const std::string name =
      fuse_ld.empty() || fuse_ld == "ld" ? "ld" : fmt::format("ld.{}", fuse_ld);
  // As clang does: first beside itself, then along PATH.
  fs::path beside = toolchain.lld.parent_path() / name;
  std::error_code ignored;
  if (fs::exists(beside, ignored))
    return beside;
  return launch::find_program(name).value_or(name);
}

Result<std::string> toolchain_identity(const Toolchain &toolchain) {
  std::string sums;
  for (const fs::path &part : {toolchain.engine, toolchain.plugin, toolchain.runtime,
                               toolchain.threads, toolchain.clang, toolchain.lld}) {
    auto bytes = FileBytes::map(part);
    if (!bytes)
      return std::unexpected(bytes.error());
    sums += fmt::format("{:016x}", llvm::xxh3_64bits(bytes->view()));
  }
  return sums;
}

} // namespace culprit::build
