// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See periods.h. A thread inside a check at this moment may set a bit for a pair of the old period
// once more: check.cpp looks at the period again afterwards and takes it back.
#include "runtime/access/periods.h"

#include "abi/run_file.h"
#include "runtime/access/check.h"
#include "runtime/access/rows.h"
#include "runtime/access/state.h"
#include "runtime/run_file/writer.h"
#include "runtime/start/options.h"

namespace culprit::access {
namespace {
uint32_t g_period;
} // namespace

uint32_t current_period() { return __atomic_load_n(&g_period, __ATOMIC_ACQUIRE); }

void point_passed(uint32_t index, uint64_t work) {
  uint64_t length = start::options().period;
  if (!is_on() || !length || index % length)
    return;
  culprit_record_period record{};
  record.period = current_period() + 1;
  record.work = work;
  __atomic_store_n(&g_period, record.period, __ATOMIC_RELEASE);
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_period, &part, 1);
  g_pairs.clear();
  clear_rows();
}

void restart_periods() { __atomic_store_n(&g_period, 0, __ATOMIC_RELEASE); }

} // namespace culprit::access
