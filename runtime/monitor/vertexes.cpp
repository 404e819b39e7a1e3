// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See vertexes.h.
#include "runtime/monitor/vertexes.h"

namespace culprit::monitor {

Node *g_nodes;
uint32_t *g_marks;
uint8_t *g_alive;
uint32_t *g_owner;
uint32_t *g_page_refs;

namespace {
template <typename T> bool map_table(T *&table, size_t count) {
  table = reinterpret_cast<T *>(os::map_sparse(0, count * sizeof(T)));
  return table != nullptr;
}
} // namespace

bool create_vertexes() {
  return map_table(g_nodes, kRefs) && map_table(g_marks, kRefs) && map_table(g_alive, kLargeRefs) &&
         map_table(g_owner, kPages) && map_table(g_page_refs, kPages);
}

} // namespace culprit::monitor
