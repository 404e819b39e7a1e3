// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for edges: chunks of 32-bit words, named by index. Sizes are rounded to 2^n and 3 * 2^n
// words; a freed chunk waits in the list of its size. Only under the point lock.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::monitor {

extern uint32_t *g_pool;

bool create_edge_pool();

// 0: no room left (8 GiB of edges). The content is whatever an earlier owner left.
uint32_t take_chunk(size_t words);
uint32_t take_zeroed_chunk(size_t words);
void give_chunk(uint32_t index, size_t words);

size_t chunk_words(size_t words); // rounded as take_chunk does

} // namespace culprit::monitor
