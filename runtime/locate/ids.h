// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids of ranges of memory: what instrumented code does not do inline.
#pragma once

#include "runtime/locate/patterns.h"
#include "runtime/locate/shadow.h"

namespace culprit::locate {

// Every cell these bytes touch has this id.
void define(uintptr_t address, size_t size, Id id);

// The bytes were copied (the ranges may overlap, as memmove's): a cell of the target that came
// whole out of one cell has that one's id. Any other gets `id`, unless some of its bytes came out
// of a corrupt cell: then it is corrupt.
void copy_ids(uintptr_t to, uintptr_t from, size_t size, Id id);

// The newest of the cells these bytes touch; of a text, its terminating zero included.
// The same of cells as a whole, for what is not corrupt: of short ranges without a call.
[[gnu::always_inline]] inline void define_whole(uintptr_t address, size_t size, Id id) {
  constexpr size_t kFew = 32;
  size_t count = (size + CULPRIT_CELL_BYTES - 1) / CULPRIT_CELL_BYTES;
  if (count > kFew || is_corrupt(id)) [[unlikely]]
    return define(address, size, id);
  auto at = reinterpret_cast<uintptr_t>(cell_of(address));
  uintptr_t end = at + count * sizeof id;
  if (count % 2) {
    store_word(at, id);
    at += sizeof id;
  }
  WordPair pair = {id, id};
#pragma clang loop unroll(disable) vectorize(disable)
  for (; at < end; at += sizeof pair)
    store_pair(at, pair);
}

Id id_of(uintptr_t address, size_t size);
Id id_of_text(const char *text);

} // namespace culprit::locate
