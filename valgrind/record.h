// SPDX-License-Identifier: GPL-2.0-or-later
// Writes the run file (abi/run_file.h), as the runtime of the flavours does. Records are few here
// (pairs, not accesses), so each is written at once, and the header behind it: the file is whole up
// to the last record however the process dies.
#pragma once

#include "abi/run_file.h"
#include "valgrind/core.h"

namespace culprit::deep {

// False: the file could not be made. An empty path: nothing is written.
bool open_run_file(const HChar *path);
// The child of a fork writes nothing: the file is its parent's.
void leave_run_file();

// A payload in up to three parts; what is missing to a multiple of 8 bytes is added.
struct Part {
  const void *bytes;
  SizeT size;
};
void write_record(culprit_record_kind kind, Part first, Part second = {}, Part third = {});

} // namespace culprit::deep
