// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See begin.h.
#include "runtime/start/begin.h"

#include "runtime/explain/flavour.h"
#include "runtime/locate/flavour.h"
#include "runtime/monitor/point.h"
#include "runtime/monitor/state.h"
#include "runtime/run_file/process_records.h"
#include "runtime/run_file/writer.h"
#include "runtime/start/options.h"

extern "C" int on_exit(void (*handler)(int status, void *argument), void *argument);

namespace culprit::start {
namespace {

void at_exit(int status, void *) {
  monitor::finish();
  locate::finish();
  explain::finish();
  run_file::append_end(status, 0);
}

} // namespace

void begin(int argument_count, char **arguments, char **environment) {
  read_options(environment);
  monitor::ensure(); // instrumented constructors need the cards
  locate::ensure();  // and their shadow and stack
  explain::set_arguments(argument_count, arguments);
  register_fork_handlers();
  run_file::set_first_argument(argument_count > 0 ? arguments[0] : "");
  run_file::open_first();
  if (!run_file::is_open())
    return;
  run_file::append_start(false);
  run_file::append_new_modules();
  monitor::tell_callers_again();
  // Registered first, so it runs last, when the target's own handlers and destructors are through.
  on_exit(at_exit, nullptr);
}

} // namespace culprit::start
