// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock between processes, held on an open file: it ends with its holder, however that one ends.
#pragma once

#include "engine/error.h"
#include "engine/launch/descriptor.h"

#include <filesystem>
#include <optional>

namespace culprit::build {

class FileLock {
public:
  // Waits for the lock; gives up when the user interrupts.
  static Result<FileLock> acquire(const std::filesystem::path &path);
  // Nothing if another process holds it.
  static std::optional<FileLock> try_acquire(const std::filesystem::path &path);

private:
  explicit FileLock(launch::Descriptor file) : file_(std::move(file)) {}
  launch::Descriptor file_;
};

} // namespace culprit::build
