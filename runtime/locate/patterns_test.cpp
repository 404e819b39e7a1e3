// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/patterns.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace culprit::locate {
namespace {

constexpr unsigned char kPattern = 0x6d;
constexpr size_t kLongest = kShortRange + 24;

struct Memory {
  std::array<unsigned char, kLongest + 32> bytes = {};
  uintptr_t at(size_t offset) const { return reinterpret_cast<uintptr_t>(bytes.data()) + offset; }
};

TEST(Patterns, AFillWritesItsBytesAndNoOther) {
  for (size_t from = 8; from < 16; ++from)
    for (size_t size = 0; size <= kLongest; ++size) {
      Memory memory;
      fill_pattern(memory.at(from), size, kPattern);
      for (size_t i = 0; i < memory.bytes.size(); ++i)
        ASSERT_EQ(memory.bytes[i] == kPattern, i - from < size) << from << " " << size << " " << i;
    }
}

TEST(Patterns, EveryByteOfARangeIsComparedAndNoOther) {
  for (size_t from = 8; from < 16; ++from)
    for (size_t size = 0; size <= kLongest; ++size) {
      Memory memory;
      std::ranges::fill(memory.bytes, kPattern);
      for (size_t i = 0; i < memory.bytes.size(); ++i) {
        memory.bytes[i] ^= 0x10;
        ASSERT_EQ(holds_pattern(memory.at(from), size, kPattern), i - from >= size)
            << from << " " << size << " " << i;
        memory.bytes[i] ^= 0x10;
      }
    }
}

} // namespace
} // namespace culprit::locate
