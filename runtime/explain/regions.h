// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory by index (lazily: address → region → index and offset), and all regions that are alive.
#pragma once

#include "abi/explain.h"

#include <stddef.h>

namespace culprit::explain {

struct Region {
  uint64_t index;
  uintptr_t address;
  size_t size;
  uint32_t kind; // culprit_region_kind; 0: the address is in no region
  uint32_t number;
  size_t room; // see culprit_snapshot_region
};

bool create_regions();
// Of the main thread's stack only.
Region region_of(uintptr_t address);

void visit_regions(void (*visit)(const Region &region, void *data), void *data);
template <typename Visitor> void for_each_region(Visitor visitor) {
  visit_regions([](const Region &region, void *data) { (*static_cast<Visitor *>(data))(region); },
                &visitor);
}

// The block, or variable of variable length, at this address has so many bytes from now on; false:
// it has no room for them.
bool resize(uintptr_t address, size_t size);

// A block for a region that another run has, with that run's index. Null: no memory.
void *allocate_as(size_t size, uint64_t index, uint32_t site);

} // namespace culprit::explain
