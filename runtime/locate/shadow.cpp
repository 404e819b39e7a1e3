// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See shadow.h.
#include "runtime/locate/shadow.h"

#include "runtime/os/memory.h"
#include "runtime/os/thread.h"

namespace culprit::locate {
namespace {

// Below this a page fault for every page that is used again costs more than writing zeros.
constexpr size_t kPurgeFrom = size_t{256} * 1024;

void zero(uintptr_t from, uintptr_t end) {
  __builtin_memset(reinterpret_cast<void *>(from), 0, end - from);
}

} // namespace

bool create_shadow() {
  return os::map_sparse(CULPRIT_SHADOW_BASE, CULPRIT_SHADOW_SIZE) != nullptr &&
         os::set_gs_base(CULPRIT_SHADOW_BASE);
}

void expect_dense(uintptr_t start, size_t bytes) {
  os::use_huge_pages(reinterpret_cast<char *>(cell_of(start)), bytes << CULPRIT_SHADOW_SHIFT);
}

void clear_cells(Cells cells) {
  auto from = reinterpret_cast<uintptr_t>(cells.first);
  uintptr_t end = from + cells.count * sizeof(Id);
  if (end - from < kPurgeFrom)
    return zero(from, end);
  uintptr_t first_page = (from + os::kOsPage - 1) & ~(os::kOsPage - 1);
  uintptr_t end_page = end & ~(os::kOsPage - 1);
  zero(from, first_page);
  os::purge(reinterpret_cast<char *>(first_page), end_page - first_page);
  zero(end_page, end);
}

} // namespace culprit::locate
