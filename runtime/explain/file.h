// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that is written from its start to its end, as a mapping that grows: what is written is
// kept however the process dies.
#pragma once

#include "runtime/os/file.h"

namespace culprit::explain {

struct File {
  const char *path;
  char *start; // null: not open
  uint64_t reserved;
  uint64_t mapped;
  uint64_t used;
  os::FileIdentity identity;

  // A new file of at most so many bytes; false if it cannot be made.
  bool create(const char *at, uint64_t largest);
  // Room for so many bytes more; null: there is none.
  void *append(uint64_t bytes);
  // Cuts it to what is used, and lets go of it.
  void finish();
};

} // namespace culprit::explain
