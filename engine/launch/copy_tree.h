// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A private copy of a directory, for systems where no overlay can be mounted. Shares blocks where
// the file system can (reflink); keeps modes, times, links and pipes; leaves out sockets, devices
// and other file systems.
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>

namespace culprit::launch {

// Bytes of the regular files in `from`, or more than `limit` as soon as that is certain.
uint64_t tree_bytes(const std::filesystem::path &from, uint64_t limit);

// Copies `from` to `to`, which must not exist. `leave_out` (may be empty) is a directory that is
// skipped.
Result<void> copy_tree(const std::filesystem::path &from, const std::filesystem::path &to,
                       const std::filesystem::path &leave_out);

// A number that changes with every change in the tree: of names, sizes, times and modes.
uint64_t tree_state(const std::filesystem::path &tree);

} // namespace culprit::launch
