// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the look of the code says of the numbers that a call is given: `n * 24 + 8`, with n unknown.
// So it is known what type's size divides the size of a block, whatever n is at run time: the rule
// of pass/block_layouts, for machine code.
//
// Rules: a number is n * times + plus, n unknown; nothing is known at the target of a branch, where
// several ways meet, nor of what was in memory. Arithmetic that runs over is not thought of.
#pragma once

#include "engine/native/instructions.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace culprit::native {

struct Quantity {
  uint32_t unknown = 0; // which one it is; 0: none, a constant
  int64_t times = 0;
  int64_t plus = 0;
  bool is_constant() const { return unknown == 0; }
  // The greatest number that divides it for certain; 0: it is 0.
  uint64_t divisor() const;
};

// The numbers that may tell a size: in the registers of the first four arguments.
using Arguments = std::array<Quantity, 4>;

enum class Fit : uint8_t {
  none,
  begins,  // one of the numbers is the size and more, by a constant
  repeats, // one of them is a multiple of the size
  exact,   // one of them is the size
};
Fit fit_of(const Arguments &arguments, uint64_t size);

// Of every call of a function, by the address it returns to, and of every jump, by the address
// behind it: a function may end with a jump to another.
std::map<uint64_t, Arguments> arguments_of_calls(std::span<const Instruction> code);

} // namespace culprit::native
