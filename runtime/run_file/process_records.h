// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run file says about the process as a whole: its start, the objects it loaded, its end.
#pragma once

#include <stdint.h>

namespace culprit::run_file {

void append_start(bool forked);
// Remembered for every start record of this image.
void set_first_argument(const char *text);

// Every loaded object not yet recorded in this file. Called at start, before each dlopen and at
// exit: dlopen itself is left by a tail call (dlopen.cpp), so an object's record follows at the
// next of these moments.
void append_new_modules();
// The object at this address, if it has no record yet and can be found without waiting.
void append_module_at(uintptr_t address);
// In the child of a fork: what is known already, into the new file.
void append_modules_again();
void lock_modules();
void unlock_modules();
void reset_modules_lock();

// The heap's summary and the status, once per process.
void append_end(int status, uint32_t how);

} // namespace culprit::run_file
