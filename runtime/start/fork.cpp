// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork: every lock of the runtime is held while the kernel copies the process, so the child finds
// whole structures. Registered before any handler of the target: glibc runs prepare handlers in
// reverse, so ours comes last, and the others first; handlers of the target may allocate. Lock
// order: points, modules, blocks of locate, caches, classes, arena, large blocks, names, run file.
#include "runtime/access/state.h"
#include "runtime/explain/index_paths.h"
#include "runtime/explain/points.h"
#include "runtime/explain/pools.h"
#include "runtime/heap/large.h"
#include "runtime/heap/span.h"
#include "runtime/heap/thread_cache.h"
#include "runtime/locate/flavour.h"
#include "runtime/monitor/point.h"
#include "runtime/os/held_signals.h"
#include "runtime/run_file/process_records.h"
#include "runtime/run_file/writer.h"
#include "runtime/start/begin.h"

#include <pthread.h>

namespace culprit::start {
namespace {

void prepare() {
  monitor::lock_points();
  run_file::lock_modules();
  locate::lock();
  heap::lock_caches();
  heap::lock_spans();
  heap::lock_arena();
  heap::lock_large();
  access::lock(); // a new span is named under its class's lock
  run_file::lock_writer();
}

void in_parent() {
  run_file::unlock_writer();
  access::unlock();
  heap::unlock_large();
  heap::unlock_arena();
  heap::unlock_spans();
  heap::unlock_caches();
  locate::unlock();
  run_file::unlock_modules();
  monitor::unlock_points();
}

void in_child() {
  run_file::reset_writer_lock();
  access::reset_lock();
  heap::reset_large_lock();
  heap::reset_arena_lock();
  heap::reset_span_locks();
  heap::reset_cache_lock();
  locate::reset_lock();
  explain::forget_trace();
  explain::reset_pool_lock();
  explain::reset_tree_lock();
  run_file::reset_modules_lock();
  if (run_file::is_open()) {
    run_file::open_in_child();
    run_file::append_start(true);
    run_file::append_modules_again();
  }
  monitor::reset_points_in_child();
  os::let_all_signals();
}

} // namespace

void register_fork_handlers() { pthread_atfork(prepare, in_parent, in_child); }

} // namespace culprit::start
