// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See edge_pool.h.
#include "runtime/monitor/edge_pool.h"

#include "runtime/os/memory.h"

namespace culprit::monitor {

uint32_t *g_pool;

namespace {

constexpr size_t kPoolWords = size_t{1} << 31;
constexpr size_t kPurgeWords = size_t{1} << 16; // larger chunks give their memory back when freed
constexpr unsigned kSizes = 64;
constexpr size_t kPageWords = os::kOsPage / sizeof(uint32_t);

uint32_t g_free[kSizes]; // index of the first; its first word names the next
size_t g_end = 16;       // words handed out; 0 is no index

// Sizes 4, 6, 8, 12, 16, 24, …
unsigned size_number(size_t words) {
  if (words <= 4)
    return 0;
  auto log = static_cast<unsigned>(63 - __builtin_clzll(words - 1)); // 2^log < words <= 2^(log+1)
  return 2 * (log - 2) + (words > (size_t{3} << (log - 1)) ? 2 : 1);
}

size_t size_of(unsigned number) {
  return number & 1 ? size_t{6} << (number / 2) : size_t{4} << (number / 2);
}

uint32_t take(size_t words, bool &fresh) {
  unsigned number = size_number(words);
  fresh = false;
  if (uint32_t index = g_free[number]) {
    g_free[number] = g_pool[index];
    return index;
  }
  size_t size = size_of(number);
  if (g_end + size > kPoolWords)
    return 0;
  auto index = static_cast<uint32_t>(g_end);
  g_end += size;
  fresh = true;
  return index;
}

} // namespace

bool create_edge_pool() {
  g_pool = reinterpret_cast<uint32_t *>(os::map_sparse(0, kPoolWords * sizeof(uint32_t)));
  return g_pool != nullptr;
}

size_t chunk_words(size_t words) { return size_of(size_number(words)); }

uint32_t take_chunk(size_t words) {
  bool fresh;
  return take(words, fresh);
}

uint32_t take_zeroed_chunk(size_t words) {
  bool fresh;
  uint32_t index = take(words, fresh);
  if (!index || fresh)
    return index;
  size_t size = chunk_words(words);
  if (size < kPurgeWords) {
    __builtin_memset(g_pool + index, 0, size * sizeof(uint32_t));
    return index;
  }
  // Freed with its whole pages purged: only the ends can hold anything.
  size_t first = (index + kPageWords) & ~(kPageWords - 1);
  size_t last = (index + size) & ~(kPageWords - 1);
  __builtin_memset(g_pool + index, 0, (first - index) * sizeof(uint32_t));
  __builtin_memset(g_pool + last, 0, (index + size - last) * sizeof(uint32_t));
  return index;
}

void give_chunk(uint32_t index, size_t words) {
  unsigned number = size_number(words);
  size_t size = size_of(number);
  if (size >= kPurgeWords) {
    size_t first = (index + kPageWords) & ~(kPageWords - 1);
    size_t last = (index + size) & ~(kPageWords - 1);
    os::purge(reinterpret_cast<char *>(g_pool + first), (last - first) * sizeof(uint32_t));
  }
  g_pool[index] = g_free[number];
  g_free[number] = index;
}

} // namespace culprit::monitor
