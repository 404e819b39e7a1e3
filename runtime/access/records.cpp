// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See records.h.
#include "runtime/access/records.h"

#include "runtime/access/objects.h"
#include "runtime/access/periods.h"
#include "runtime/monitor/pacing.h"
#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"
#include "runtime/unwind/unwind.h"

namespace culprit::access {
namespace {

constexpr size_t kDeepest = 64; // the target's stack may be a small one
uint8_t *g_told;                // by name
uint64_t g_accesses;

} // namespace

bool create_records() {
  g_told = reinterpret_cast<uint8_t *>(os::map_sparse(0, kMaxNames));
  return g_told != nullptr;
}

void tell_name(Name name) {
  if (!name || __atomic_exchange_n(&g_told[name], 1, __ATOMIC_RELAXED))
    return;
  const Family &family = g_families[family_of_name(name)];
  culprit_record_name record{};
  record.number = name;
  record.kind = family.kind;
  record.unit = family.unit;
  record.object = family.object;
  record.layout = family.layout_number;
  record.member = family.layout ? name - family.first : CULPRIT_NO_MEMBER;
  run_file::Part part{&record, sizeof record};
  run_file::append(CULPRIT_RECORD_name, &part, 1);
}

void forget_told_names() {
  os::purge(reinterpret_cast<char *>(g_told), kMaxNames);
  __atomic_store_n(&g_accesses, 0, __ATOMIC_RELAXED);
}

void append_access(uint32_t row, Name name, uintptr_t address, uint64_t length, uintptr_t frame) {
  __atomic_fetch_add(&g_accesses, 1, __ATOMIC_RELAXED);
  if (!run_file::is_open())
    return;
  Extent extent = extent_of(address, name);
  culprit_record_access record{};
  record.row = row;
  record.name = name;
  record.period = current_period();
  record.length = static_cast<uint32_t>(length < UINT32_MAX ? length : UINT32_MAX);
  record.address = address;
  record.start = extent.start;
  record.size = extent.size;
  record.before = name_before(address, name, extent);
  record.previous = name_previously(address, name);
  record.work = monitor::work_totals().work;
  uintptr_t frames[kDeepest];
  size_t depth = unwind::depth();
  record.depth = static_cast<uint32_t>(
      unwind::capture_from(frame, 0, frames, depth < kDeepest ? depth : kDeepest));
  tell_name(name);
  tell_name(record.before);
  tell_name(record.previous);
  run_file::Part parts[] = {{&record, sizeof record}, {frames, record.depth * sizeof frames[0]}};
  run_file::append(CULPRIT_RECORD_access, parts, 2);
}

uint64_t accesses_told() { return __atomic_load_n(&g_accesses, __ATOMIC_RELAXED); }

} // namespace culprit::access
