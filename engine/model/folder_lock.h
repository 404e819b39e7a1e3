// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One culprit at a time removes, makes or opens a model of one folder, or has a transaction in it.
//
// SQLite finds the journal of a database by its name alone. If a model is removed and made again,
// whoever still has the old one open takes the new one's journal for what a killed writer left, and
// rolls it back: into the wrong file, and out of the hands of the one that writes it. So a look at
// which file has the name, and what is done with it, are under one lock. It is on the folder, since
// every file beside a model would have to be removed by somebody, too.
#ifndef CULPRIT_ENGINE_MODEL_FOLDER_LOCK_H
#define CULPRIT_ENGINE_MODEL_FOLDER_LOCK_H

#include "engine/error.h"

#include <filesystem>

namespace culprit::model {

class FolderLock {
public:
  // Of the folder that this file is in. Fails if another process has it for long. Where a folder
  // cannot be locked (no right to list it, a file system without locks) there is none.
  static Result<FolderLock> of_file(const std::filesystem::path &path);
  FolderLock(FolderLock &&other) noexcept;
  FolderLock &operator=(FolderLock &&) = delete;
  ~FolderLock();

private:
  explicit FolderLock(int folder) : folder_(folder) {}
  int folder_; // below 0: none
};

} // namespace culprit::model

#endif
