// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See histograms.h.
#include "runtime/monitor/histograms.h"

#include "runtime/os/memory.h"
#include "runtime/run_file/writer.h"

namespace culprit::monitor {

Row *g_rows;
uint64_t g_cells[CULPRIT_CELLS];
uint32_t *g_changed_rows;
size_t g_changed_count;

namespace {

// Rows of one record: well below CULPRIT_RUN_RECORD_MAX, and small enough for a static buffer.
constexpr size_t kRowsPerRecord = 1024;
culprit_context_cells g_buffer[kRowsPerRecord];

} // namespace

bool create_histograms() {
  g_rows = reinterpret_cast<Row *>(os::map_sparse(0, kMaxContexts * sizeof(Row)));
  g_changed_rows = reinterpret_cast<uint32_t *>(os::map_sparse(0, kMaxContexts * sizeof(uint32_t)));
  return g_rows && g_changed_rows;
}

void append_changed_rows(uint32_t index) {
  for (size_t from = 0; from < g_changed_count; from += kRowsPerRecord) {
    culprit_record_point_contexts head{index, 0};
    for (; head.count < kRowsPerRecord && from + head.count < g_changed_count; ++head.count) {
      uint32_t context = g_changed_rows[from + head.count];
      g_buffer[head.count].context = context;
      __builtin_memcpy(g_buffer[head.count].cells, g_rows[context].cells,
                       sizeof g_rows[context].cells);
      g_rows[context].changed = 0;
    }
    run_file::Part parts[] = {{&head, sizeof head}, {g_buffer, head.count * sizeof g_buffer[0]}};
    run_file::append(CULPRIT_RECORD_point_contexts, parts, 2);
  }
  g_changed_count = 0;
}

void note_all_rows() {
  for (uint32_t context = 0; context < context_count(); ++context)
    note_change(context);
}

} // namespace culprit::monitor
