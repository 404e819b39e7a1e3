// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects of the program's own allocators (culprit_pool_alloc in <culprit/watch.h>), by address: of
// every byte of them it is known whose it is. A treap: objects come and go in any order, anywhere.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::explain {

struct PoolObject {
  uintptr_t start;
  size_t size;
  uint64_t index;
  const void *pool;
  uint32_t site;
  uint32_t node = 0; // in the index tree; 0: it is not there
};

// One that lies where another did takes its place.
void add_pool_object(const PoolObject &object);
void remove_pool_object(const void *pool, uintptr_t start);
// The one around the address; null: none.
const PoolObject *find_pool_object(uintptr_t address);

void visit_pool_objects(void (*visit)(const PoolObject &object, void *data), void *data);
template <typename Visitor> void for_each_pool_object(Visitor visitor) {
  visit_pool_objects(
      [](const PoolObject &object, void *data) { (*static_cast<Visitor *>(data))(object); },
      &visitor);
}

// In the child of a fork.
void reset_pool_lock();

} // namespace culprit::explain
