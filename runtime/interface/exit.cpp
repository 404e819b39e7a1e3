// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _exit and _Exit skip every handler: wrapped, so that the run file still gets its last record.
// So does the heap graph its last point, and a locate flavour what it finds overwritten.
// They may be called in a signal handler that interrupted malloc: nothing here takes a lock.
// A child of vfork calls _exit with our memory but not as our process; append_end notices by the
// pid.
#include "runtime/explain/flavour.h"
#include "runtime/locate/flavour.h"
#include "runtime/monitor/point.h"
#include "runtime/os/process.h"
#include "runtime/run_file/process_records.h"

using namespace culprit;

extern "C" {

[[noreturn]] __attribute__((visibility("default"))) void _exit(int status) {
  monitor::finish();
  locate::finish();
  explain::finish();
  run_file::append_end(status, 1);
  os::end_process(status);
}

[[noreturn]] __attribute__((visibility("default"))) void _Exit(int status) { _exit(status); }
}
