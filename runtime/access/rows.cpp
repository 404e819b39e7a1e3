// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See rows.h.
#include "runtime/access/rows.h"

#include "runtime/access/known_accesses.h"
#include "runtime/os/memory.h"

namespace culprit::access {

Row *g_rows;
uint64_t *g_known_accesses;

namespace {
constexpr size_t kBytes = (kMappedRows * CULPRIT_ROW_PITCH + os::kOsPage - 1) & ~(os::kOsPage - 1);
constexpr size_t kKnownBytes = (size_t{1} << kKnownBits) * sizeof(uint64_t);
constexpr uintptr_t kLowest = CULPRIT_ROW_BASE - kBytes;
} // namespace

bool create_rows() {
  g_rows = reinterpret_cast<Row *>(os::map_sparse(0, kMappedRows * sizeof(Row)));
  return g_rows && create_known_accesses() && os::map_sparse(kLowest, kBytes);
}

void clear_rows() {
  os::purge(reinterpret_cast<char *>(kLowest), kBytes);
  forget_known_accesses();
}

bool create_known_accesses() {
  g_known_accesses = reinterpret_cast<uint64_t *>(os::map_sparse(0, kKnownBytes));
  return g_known_accesses != nullptr;
}

void forget_known_accesses() { os::purge(reinterpret_cast<char *>(g_known_accesses), kKnownBytes); }

} // namespace culprit::access
