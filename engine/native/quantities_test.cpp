// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/native/quantities.h"

#include <gtest/gtest.h>

namespace culprit::native {
namespace {

// Assembled by hand; a call of the next instruction ends each.
Arguments before_call(std::string code) {
  code += std::string("\xe8\0\0\0\0", 5);
  const std::vector<Instruction> instructions = Decoder().decode(code, 0x1000);
  const auto found = arguments_of_calls(instructions);
  return found.empty() ? Arguments() : found.begin()->second;
}

TEST(NativeQuantities, AConstantIsExact) {
  const Arguments given = before_call(std::string("\xbf\x20\0\0\0", 5)); // mov $32,%edi
  EXPECT_EQ(fit_of(given, 32), Fit::exact);
  EXPECT_EQ(fit_of(given, 16), Fit::repeats);
  EXPECT_EQ(fit_of(given, 24), Fit::begins);
  EXPECT_EQ(fit_of(given, 40), Fit::none);
}

TEST(NativeQuantities, AProductRepeats) {
  // lea (%rsi,%rsi,2),%rdi; shl $3,%rdi: 24 times something
  const Arguments given = before_call("\x48\x8d\x3c\x76\x48\xc1\xe7\x03");
  EXPECT_EQ(fit_of(given, 24), Fit::repeats);
  EXPECT_EQ(fit_of(given, 8), Fit::repeats);
  EXPECT_EQ(fit_of(given, 16), Fit::none);
}

TEST(NativeQuantities, WhatIsAddedToItselfIsAProduct) {
  // mov %rsi,%rdi; add %rdi,%rdi; add %rsi,%rdi; shl $3,%rdi
  const Arguments given = before_call("\x48\x89\xf7\x48\x01\xff\x48\x01\xf7\x48\xc1\xe7\x03");
  EXPECT_EQ(fit_of(given, 24), Fit::repeats);
}

TEST(NativeQuantities, ASumBeginsWithItsConstant) {
  const Arguments given = before_call("\x48\x8d\x7e\x20"); // lea 32(%rsi),%rdi
  EXPECT_EQ(fit_of(given, 32), Fit::begins);
  EXPECT_EQ(fit_of(given, 40), Fit::none);
}

TEST(NativeQuantities, NothingIsKnownWhereWaysMeet) {
  // mov $32,%edi; test %rax,%rax; je over; xor %edi,%edi; over:
  const Arguments given =
      before_call(std::string("\xbf\x20\0\0\0\x48\x85\xc0\x74\x02\x31\xff", 12));
  EXPECT_EQ(fit_of(given, 32), Fit::none);
}

TEST(NativeQuantities, ACallLeavesNothingInItsArguments) {
  const Arguments given =
      before_call(std::string("\xbf\x20\0\0\0\xe8\0\0\0\0", 10)); // the first of two calls
  EXPECT_EQ(fit_of(given, 32), Fit::exact);
  const std::vector<Instruction> code =
      Decoder().decode(std::string("\xbf\x20\0\0\0\xe8\0\0\0\0\xe8\0\0\0\0", 15), 0x1000);
  EXPECT_EQ(fit_of(arguments_of_calls(code).at(0x100f), 32), Fit::none);
}

} // namespace
} // namespace culprit::native
