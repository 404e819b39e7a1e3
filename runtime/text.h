// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in buffers, by hand: libc's functions are the target's, and may not be ready. Whoever
// appends has made sure that there is room; what is appended ends with a 0, and where that is, is
// returned.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::text {

// Null is empty.
inline size_t length_of(const char *text) {
  size_t length = 0;
  while (text && text[length])
    ++length;
  return length;
}

inline size_t append(char *to, size_t at, const char *text) {
  while (*text)
    to[at++] = *text++;
  to[at] = 0;
  return at;
}

inline size_t append(char *to, size_t at, uint64_t number) {
  char digits[20];
  size_t count = 0;
  do
    digits[count++] = static_cast<char>('0' + number % 10);
  while (number /= 10);
  while (count)
    to[at++] = digits[--count];
  to[at] = 0;
  return at;
}

} // namespace culprit::text
