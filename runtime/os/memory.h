// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address ranges: reserved once, made usable from the bottom up, handed back to the kernel in
// pieces. A reservation is inaccessible and unaccounted (PROT_NONE, MAP_NORESERVE), so a terabyte
// costs nothing, and an access behind the part in use faults as it would behind a small heap.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::os {

constexpr size_t kOsPage = 4096;

// `preferred` may be null. With a preferred address that is taken the kernel chooses another.
char *reserve(uintptr_t preferred, size_t bytes);
void release(char *start, size_t bytes);
bool make_usable(char *start, size_t bytes);
// Of the program's own code: these bytes can be written, too.
bool make_code_writable(char *start, size_t bytes);
// Every access faults, and what was there is gone.
void make_unusable(char *start, size_t bytes);
// As mprotect: 0, or the kernel's error number.
int change_rights(uintptr_t start, size_t bytes, int rights);
bool can_read(int rights);
// A range that can be accessed as a whole, reads as zero and costs memory only where it was
// written; kept out of core dumps and of huge pages, which would make sparse writes expensive.
// `fixed`: exactly there, or null; 0: anywhere.
char *map_sparse(uintptr_t fixed, size_t bytes);
// Such a range for `count` entries of a table, anywhere; false: there is no room.
template <typename T> bool map_table(T *&table, size_t count) {
  table = reinterpret_cast<T *>(map_sparse(0, count * sizeof(T)));
  return table != nullptr;
}
// Such a range is written densely after all, from here to there: huge pages, where the kernel has
// them, save it faults and the processor most of its misses in the page tables.
void use_huge_pages(char *start, size_t bytes);
// What is in memory already moves to huge pages, if the kernel can do that (6.1).
void make_huge(char *start, size_t bytes);
// The bytes read as zero afterwards and cost no memory until touched again.
void purge(char *start, size_t bytes);

// A reserved range of which [start, start + usable) can be accessed. Not thread-safe: the owner
// locks.
struct Range {
  char *start;
  size_t reserved;
  size_t usable;

  bool create(uintptr_t preferred, size_t bytes);
  void destroy();
  // Makes at least the first `bytes` usable; grows by `step` at a time at least, so that neighbours
  // share a call.
  bool grow(size_t bytes, size_t step);
};

} // namespace culprit::os
