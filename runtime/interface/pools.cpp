// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What <culprit/watch.h> says of objects of the program's own allocators.
#include "runtime/explain/pools.h"
#include "runtime/explain/flavour.h"

using namespace culprit;

#define CULPRIT_PUBLIC extern "C" __attribute__((visibility("default")))

CULPRIT_PUBLIC void __culprit_pool_alloc(const void *pool, void *address, size_t size) {
  if (explain::g_on)
    explain::note_pooled(pool, address, size);
  else if (explain::g_indexing)
    explain::index_pooled(pool, address, size);
}

CULPRIT_PUBLIC void __culprit_pool_free(const void *pool, const void *address) {
  if (explain::g_tree)
    explain::uproot_pooled(address);
  explain::remove_pool_object(pool, reinterpret_cast<uintptr_t>(address));
}
