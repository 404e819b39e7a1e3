// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that locate gives an execution (targets, orders of variables) are rows of numbers and
// letters. Here is how their parts are read.
//
// Rules: `at` is moved behind what was read; where nothing fits, the result is false and the file
// is of no use.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::locate {

constexpr size_t kLongestFile = size_t{64} << 20;

inline bool read_number(const char *text, size_t length, size_t &at, uint64_t &number) {
  size_t start = at;
  number = 0;
  while (at < length && text[at] >= '0' && text[at] <= '9') {
    if (__builtin_mul_overflow(number, uint64_t{10}, &number) ||
        __builtin_add_overflow(number, static_cast<uint64_t>(text[at] - '0'), &number))
      return false;
    ++at;
  }
  return at > start;
}

inline bool read_character(const char *text, size_t length, size_t &at, char wanted) {
  if (at >= length || text[at] != wanted)
    return false;
  ++at;
  return true;
}

} // namespace culprit::locate
