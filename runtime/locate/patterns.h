// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of memory that all have one value, written and compared. Inline, and without a call for
// short ranges: a program that allocates small blocks does this five times for each.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::locate {

constexpr size_t kShortRange = 128; // bytes; of more than these a call is a small part

inline uint64_t pattern_word(unsigned char pattern) { return pattern * 0x0101010101010101u; }

inline uint64_t load_word(uintptr_t at) {
  uint64_t word;
  __builtin_memcpy(&word, reinterpret_cast<const void *>(at), sizeof word);
  return word;
}

inline void store_word(uintptr_t at, uint64_t word) {
  __builtin_memcpy(reinterpret_cast<void *>(at), &word, sizeof word);
}

// Two words at a time: a register that every x86-64 has.
using WordPair [[gnu::vector_size(16), gnu::aligned(1), gnu::may_alias]] = uint64_t;

inline WordPair load_pair(uintptr_t at) { return *reinterpret_cast<const WordPair *>(at); }
inline void store_pair(uintptr_t at, WordPair pair) { *reinterpret_cast<WordPair *>(at) = pair; }

[[gnu::always_inline]] inline void fill_pattern(uintptr_t from, size_t size,
                                                unsigned char pattern) {
  uint64_t word = pattern_word(pattern);
  WordPair pair = {word, word};
  // The last ones overlap those before unless the size is a multiple of theirs.
  if (size > kShortRange) [[unlikely]] {
    __builtin_memset(reinterpret_cast<void *>(from), pattern, size);
  } else if (size >= sizeof pair) {
    uintptr_t last = from + size - sizeof pair;
    store_pair(from, pair);
#pragma clang loop unroll(disable) vectorize(disable)
    for (uintptr_t at = from + sizeof pair; at < last; at += sizeof pair)
      store_pair(at, pair);
    store_pair(last, pair);
  } else if (size >= sizeof word) {
    store_word(from, word);
    store_word(from + size - sizeof word, word);
  } else {
    for (size_t at = 0; at < size; ++at)
      *reinterpret_cast<volatile unsigned char *>(from + at) = pattern;
  }
}

[[gnu::always_inline]] inline bool holds_pattern(uintptr_t from, size_t size,
                                                 unsigned char pattern) {
  uint64_t word = pattern_word(pattern);
  if (size >= sizeof(WordPair)) {
    WordPair pair = {word, word};
    uintptr_t last = from + size - sizeof pair;
    WordPair difference = (load_pair(from) ^ pair) | (load_pair(last) ^ pair);
#pragma clang loop unroll(disable) vectorize(disable)
    for (uintptr_t at = from + sizeof pair; at < last; at += sizeof pair)
      difference |= load_pair(at) ^ pair;
    return !(difference[0] | difference[1]);
  }
  if (size >= sizeof word)
    return !((load_word(from) ^ word) | (load_word(from + size - sizeof word) ^ word));
  uint64_t difference = 0;
  for (size_t at = 0; at < size; ++at)
    difference |= *reinterpret_cast<const volatile unsigned char *>(from + at) ^ pattern;
  return !difference;
}

} // namespace culprit::locate
