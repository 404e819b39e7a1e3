// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporary directories and whole files.
//
// A TemporaryDirectory lies in $TMPDIR or /tmp, is readable by us alone and is removed when its
// owner ends, or by remove_temporaries() when an interrupt ends the process. One whose process was
// killed outright is removed by a later culprit: each holds a lock file, and a lock nobody holds
// marks an abandoned directory.
#pragma once

#include "engine/error.h"
#include "engine/launch/descriptor.h"

#include <filesystem>
#include <string_view>

namespace culprit::launch {

class TemporaryDirectory {
public:
  // Under `parent`, or under $TMPDIR or /tmp when that is empty.
  static Result<TemporaryDirectory> create(const std::filesystem::path &parent = {});

  TemporaryDirectory(TemporaryDirectory &&other) noexcept;
  TemporaryDirectory &operator=(TemporaryDirectory &&other) noexcept;
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  ~TemporaryDirectory();

  const std::filesystem::path &path() const { return path_; }

private:
  TemporaryDirectory() = default;
  void remove();

  std::filesystem::path path_;
  Descriptor lock_;
};

// $TMPDIR if it names a directory, else /tmp; absolute.
std::filesystem::path temporary_root();

// Writes beside `path` and renames, so that a reader sees the old bytes or the new ones, never a
// part. The mode of a file that is there already is kept, a symbolic link stays one, and what is no
// regular file (a terminal, a pipe) is written to as it is.
Result<void> write_atomically(const std::filesystem::path &path, std::string_view bytes);

// Removes what write_atomically and TemporaryDirectory have on disk now. For the end of the process
// only.
void remove_temporaries();

// Removes a file or a tree, unreadable directories included, without following symbolic links or
// entering another file system. False: something is left.
bool remove_tree(const std::filesystem::path &path);

} // namespace culprit::launch
