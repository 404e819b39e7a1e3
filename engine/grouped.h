// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large numbers for people: findings (engine/heap) and reports write them alike.
#pragma once

#include <cstdint>
#include <string>

namespace culprit {

// 1234567 → "1,234,567"
inline std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

} // namespace culprit
