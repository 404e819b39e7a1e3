// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See rows.h.
#include "runtime/access/rows.h"

#include "runtime/os/memory.h"

namespace culprit::access {

Row *g_rows;

namespace {
constexpr size_t kBytes =
    (kMappedRows / CULPRIT_ROWS_TOGETHER * CULPRIT_ROW_PITCH + os::kOsPage - 1) &
    ~(os::kOsPage - 1);
constexpr uintptr_t kLowest = CULPRIT_ROW_BASE - kBytes;
} // namespace

bool create_rows() {
  g_rows = reinterpret_cast<Row *>(os::map_sparse(0, kMappedRows * sizeof(Row)));
  return g_rows && os::map_sparse(kLowest, kBytes);
}

void clear_rows() { os::purge(reinterpret_cast<char *>(kLowest), kBytes); }

} // namespace culprit::access
