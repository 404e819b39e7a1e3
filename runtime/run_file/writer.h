// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing the run file (abi/run_file.h). Appending takes no lock: room is reserved by one addition,
// the record filled in, its commit word stored last. The mapping lies in a reservation of its own
// and grows at its end, so addresses of records never move. Growing takes a lock; a signal handler
// that meets its own thread there loses its record (counted in the header) rather than waiting for
// itself. Everything that fails here fails in silence: a target must not notice that its run file
// could not be written.
#pragma once

#include "abi/run_file.h"

namespace culprit::run_file {

struct Part {
  const void *data;
  size_t size;
};

// Creates the file named by the option `run`, or, if that exists (an earlier image or the parent
// wrote it),
// `<run>.<pid>`, then `<run>.<pid>.2` and so on. Without the option: does nothing.
void open_first();
// In the child of a fork: lets go of the parent's file and creates `<run>.<pid>`.
void open_in_child();

bool is_open();
// False in a child of vfork or of a raw clone, which has our memory but must not write into our
// file.
bool is_own_file(int pid);

// One record of the concatenated parts, zero-padded to 8 bytes.
void append(culprit_record_kind kind, const Part *parts, size_t count);

void lock_writer();
void unlock_writer();
void reset_writer_lock();

} // namespace culprit::run_file
