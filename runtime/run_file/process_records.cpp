// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See process_records.h.
#include "runtime/run_file/process_records.h"

#include "runtime/heap/arena.h"
#include "runtime/heap/large.h"
#include "runtime/heap/span.h"
#include "runtime/heap/thread_cache.h"
#include "runtime/os/file.h"
#include "runtime/os/process.h"
#include "runtime/run_file/writer.h"
#include "runtime/text.h"

namespace culprit::run_file {
namespace {

const char *g_first_argument;
int g_ended_pid; // of the process whose end is written: a forked child has an end of its own

void append_heap() {
  culprit_record_heap heap{};
  heap.small_bytes = heap::arena_bytes().small_usable;
  heap::LargeStatistics large = heap::large_statistics();
  heap.large_live_bytes = large.live_bytes;
  heap.large_peak_bytes = large.peak_bytes;
  heap.large_blocks = large.blocks;
  for (unsigned number = 1; number < heap::kClassCount; ++number) {
    heap::ClassStatistics one = heap::class_statistics(number);
    heap.spans += one.spans;
    heap.purged_spans += one.purged;
    heap.refills += one.refills;
    heap.flushes += one.flushes;
  }
  heap.threads = heap::threads_seen();
  Part part{&heap, sizeof heap};
  append(CULPRIT_RECORD_heap, &part, 1);
}

} // namespace

void set_first_argument(const char *text) { g_first_argument = text; }

void append_start(bool forked) {
  if (!is_open())
    return;
  char executable[4096];
  culprit_record_start start{};
  start.pid = static_cast<uint32_t>(os::process_id());
  start.parent = static_cast<uint32_t>(os::parent_id());
  start.forked = forked;
  start.executable_length =
      static_cast<uint32_t>(os::read_link("/proc/self/exe", executable, sizeof executable));
  start.argument_length = static_cast<uint32_t>(text::length_of(g_first_argument) & 0xffff);
  Part parts[] = {{&start, sizeof start},
                  {executable, start.executable_length},
                  {g_first_argument, start.argument_length}};
  append(CULPRIT_RECORD_start, parts, 3);
}

void append_end(int status, uint32_t how) {
  int pid = os::process_id();
  if (!is_own_file(pid) || __atomic_exchange_n(&g_ended_pid, pid, __ATOMIC_ACQ_REL) == pid)
    return;
  if (how == 0)
    append_new_modules(); // asks the loader, which takes locks: not for _exit in a signal handler
  append_heap();
  culprit_record_exit end{status, how};
  Part part{&end, sizeof end};
  append(CULPRIT_RECORD_exit, &part, 1);
}

} // namespace culprit::run_file
