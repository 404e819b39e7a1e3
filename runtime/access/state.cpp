// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See state.h.
#include "runtime/access/state.h"

#include "runtime/access/blocks.h"
#include "runtime/access/check.h"
#include "runtime/access/counts.h"
#include "runtime/access/events.h"
#include "runtime/access/exact.h"
#include "runtime/access/naming_lock.h"
#include "runtime/access/periods.h"
#include "runtime/access/records.h"
#include "runtime/access/rows.h"
#include "runtime/access/units.h"
#include "runtime/access/variables.h"
#include "runtime/os/memory.h"
#include "runtime/os/thread.h"
#include "runtime/run_file/writer.h"

namespace culprit::access {
namespace {

void append_watch() {
  CheckCounts checks = check_counts();
  KindCounts kinds = kind_counts();
  culprit_record_watch record{};
  record.slow = checks.slow;
  record.exact = checks.exact;
  record.names = name_count();
  record.tags = kinds.tags;
  record.tags_missing = kinds.missing;
  record.pairs = accesses_told();
  record.pairs_lost = checks.lost + families_missing();
  record.watched_bytes = global_bytes() + peak_block_bytes();
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_watch, &part, 1);
}

} // namespace

bool create_tags() {
  constexpr uintptr_t kSkipped = CULPRIT_FIRST_TAGGED / kGranule * sizeof(Tag);
  return os::map_sparse(CULPRIT_TAG_BASE + kSkipped, CULPRIT_TAG_TABLE_SIZE - kSkipped) &&
         os::set_gs_base(CULPRIT_TAG_BASE);
}

bool create() {
  return create_tags() && create_kinds() && create_rows() && create_families() && create_units() &&
         create_exact() && create_blocks() && create_variables() && create_records() &&
         create_check() && create_counts();
}

void append_counts_now() {
  if (is_on())
    append_counts();
}

void finish() {
  if (!is_on())
    return;
  append_counts();
  append_watch();
  finish_events();
}

void lock() { g_naming_lock.acquire(); }
void unlock() { g_naming_lock.release(); }

void reset_lock() { g_naming_lock.reset(); }

void restart_in_child() {
  if (!is_on() || !run_file::is_open())
    return;
  restart_periods();
  g_pairs.clear();
  clear_rows();
  clear_counts();
  forget_told_names();
  forget_events();
  append_units_again();
}

} // namespace culprit::access
