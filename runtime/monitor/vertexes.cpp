// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See vertexes.h.
#include "runtime/monitor/vertexes.h"

namespace culprit::monitor {

Node *g_nodes;
uint32_t *g_marks;
uint8_t *g_alive;
uint32_t *g_owner;
uint32_t *g_page_refs;

bool create_vertexes() {
  return os::map_table(g_nodes, kRefs) && os::map_table(g_marks, kRefs) &&
         os::map_table(g_alive, kLargeRefs) && os::map_table(g_owner, kPages) &&
         os::map_table(g_page_refs, kPages);
}

} // namespace culprit::monitor
