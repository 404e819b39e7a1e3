// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See carried_regions.h. Where a range begins or ends within a word, that word's cell is left: a
// pointer is never written in parts by code that means one.
#include "runtime/explain/carried_regions.h"

#include "abi/indexing.h"
#include "runtime/heap/allocate.h"
#include "runtime/os/memory.h"

extern "C" {
__attribute__((visibility(
    "default"))) __thread uint64_t __culprit_region_arguments[CULPRIT_REGION_ARGUMENT_COUNT];
__attribute__((visibility("default"))) __thread uint64_t __culprit_region_result;
__attribute__((visibility("default"))) __thread uint64_t __culprit_region_callee;
}

namespace culprit::explain {
namespace {

constexpr uintptr_t kWord = sizeof(uint64_t);
bool g_carried;

uint64_t *cell_of(uintptr_t address) {
  return reinterpret_cast<uint64_t *>(CULPRIT_REGIONS_BASE + (address & CULPRIT_REGIONS_MASK));
}

} // namespace

void begin_regions() {
  if (!g_carried && !os::map_sparse(CULPRIT_REGIONS_BASE, CULPRIT_REGIONS_SIZE))
    heap::stop_with("culprit: address-space limit too small for an online index flavour\n");
  g_carried = true;
}

void copy_regions(uintptr_t to, uintptr_t from, size_t size) {
  uintptr_t skipped = -to & (kWord - 1);
  if (size < skipped + kWord)
    return;
  size_t words = (size - skipped) / kWord;
  // Words that are cut differently hold no whole pointers.
  if ((to ^ from) & (kWord - 1))
    __builtin_memset(cell_of(to + skipped), 0, words * kWord);
  else
    __builtin_memmove(cell_of(to + skipped), cell_of(from + skipped), words * kWord);
}

void clear_regions(uintptr_t start, size_t size) {
  uintptr_t skipped = -start & (kWord - 1);
  if (size >= skipped + kWord)
    __builtin_memset(cell_of(start + skipped), 0, (size - skipped) / kWord * kWord);
}

uintptr_t region_carried(uintptr_t address) { return g_carried ? *cell_of(address) : 0; }

} // namespace culprit::explain
