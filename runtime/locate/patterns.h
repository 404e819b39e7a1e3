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

inline void fill_pattern(uintptr_t from, size_t size, unsigned char pattern) {
  uint64_t word = pattern_word(pattern);
  if (size > kShortRange) [[unlikely]] {
    __builtin_memset(reinterpret_cast<void *>(from), pattern, size);
  } else if (size >= sizeof word) {
    // The last word overlaps the one before it unless the size is a multiple of it.
    for (size_t at = 0; at + sizeof word < size; at += sizeof word)
      store_word(from + at, word);
    store_word(from + size - sizeof word, word);
  } else {
    for (size_t at = 0; at < size; ++at)
      *reinterpret_cast<volatile unsigned char *>(from + at) = pattern;
  }
}

inline bool holds_pattern(uintptr_t from, size_t size, unsigned char pattern) {
  uint64_t word = pattern_word(pattern);
  uint64_t difference = 0;
  if (size >= sizeof word) {
    for (size_t at = 0; at + sizeof word < size; at += sizeof word)
      difference |= load_word(from + at) ^ word;
    return !(difference | (load_word(from + size - sizeof word) ^ word));
  }
  for (size_t at = 0; at < size; ++at)
    difference |= *reinterpret_cast<const volatile unsigned char *>(from + at) ^ pattern;
  return !difference;
}

} // namespace culprit::locate
