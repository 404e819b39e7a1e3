// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is read from a row of the table of accesses.
#include "runtime/locate/telling.h"

#include "runtime/locate/ids.h"
#include "runtime/locate/values.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace culprit::locate {
namespace {

// Rows of instructions at these distances behind the table's start.
class Table {
public:
  void add(uintptr_t distance, uint32_t place, const char *text) {
    char *row = bytes_.data() + used_;
    const auto start = static_cast<int32_t>(distance - used_);
    std::memcpy(row, &start, sizeof start);
    std::memcpy(row + 4, &place, sizeof place);
    std::strcpy(row + 8, text);
    used_ = (used_ + 8 + std::strlen(text) + 1 + 3) & ~size_t{3};
  }
  Told at(uintptr_t distance, const Registers &registers) const {
    return find_told({bytes_.data(), bytes_.data() + used_},
                     reinterpret_cast<uintptr_t>(bytes_.data()) + distance, registers);
  }

private:
  alignas(8) std::array<char, 512> bytes_{};
  size_t used_ = 0;
};

constexpr Registers kRegistersOfTest = {100, 101, 102, 103, 104, 105, 106, 107,
                                        108, 109, 110, 111, 112, 113, 114, 115};

TEST(Telling, EveryRegisterHasItsName) {
  Table table;
  table.add(100, 7, "%rax;%rbx;%rcx;%rdx;%rsi;%rdi;%rbp;%rsp");
  table.add(200, 8, "%r8;%r9;%r10;%r11;%r12;%r13;%r14;%r15");
  const Told low = table.at(100, kRegistersOfTest);
  const Told high = table.at(200, kRegistersOfTest);
  EXPECT_EQ(low.place, 7U);
  EXPECT_EQ(high.place, 8U);
  for (size_t i = 0; i < CULPRIT_LEAVES; ++i) {
    EXPECT_EQ(low.leaves[i], 100 + i);
    EXPECT_EQ(high.leaves[i], 108 + i);
  }
}

TEST(Telling, ANumberIsAnId) {
  Table table;
  table.add(100, 7, "$12;%rbx;$4611686018427387905");
  const Told told = table.at(100, kRegistersOfTest);
  EXPECT_EQ(told.leaves[0], 12U);
  EXPECT_EQ(told.leaves[1], 101U);
  EXPECT_EQ(told.leaves[2], 4611686018427387905U);
}

TEST(Telling, ARowHoldsUpToTheNextAndNothingBeforeTheFirst) {
  Table table;
  table.add(200, 8, "");
  table.add(100, 7, "%rax");
  EXPECT_EQ(table.at(99, kRegistersOfTest).place, 0U);
  EXPECT_EQ(table.at(150, kRegistersOfTest).place, 7U);
  EXPECT_EQ(table.at(150, kRegistersOfTest).start, table.at(100, kRegistersOfTest).start);
  EXPECT_EQ(table.at(201, kRegistersOfTest).place, 8U);
}

TEST(Telling, BehindItsInstructionOnlyWhatCanBeAnIdIsOne) {
  Registers registers = {5, uintptr_t{1} << 62};
  Table table;
  table.add(100, 7, "%rax;%rbx");
  EXPECT_EQ(table.at(100, registers).leaves[1], uint64_t{1} << 62);
  EXPECT_EQ(table.at(101, registers).leaves[0], 5U);
  EXPECT_EQ(table.at(101, registers).leaves[1], 0U);
}

TEST(Telling, WhatIsNotUnderstoodIsNoId) {
  Table table;
  table.add(100, 7, "8(%rax)");
  table.add(200, 8, "%eax");
  EXPECT_EQ(table.at(100, kRegistersOfTest).leaves[0], 0U);
  EXPECT_EQ(table.at(200, kRegistersOfTest).leaves[0], 0U);
}

TEST(Telling, AnIdMayStandInMemory) {
  alignas(8) static uint64_t words[4];
  define(reinterpret_cast<uintptr_t>(&words[2]), 4, 900);
  define(reinterpret_cast<uintptr_t>(&words[2]) + 4, 4, 901);
  define(reinterpret_cast<uintptr_t>(&words[1]), 8, 3);
  const Registers registers = {reinterpret_cast<uintptr_t>(words), 50,
                               reinterpret_cast<uintptr_t>(&words[3])};
  Table table;
  table.add(100, 7, "@8:16:%rax;@4:16:%rax;@8:-8:%rcx");
  // Up to 4 it is nobody's, and the newest of all counts.
  table.add(200, 8, "@8:8:%rax?4|%rbx|@8:16:%rax;@8:16:%rax?4|$990;$2");
  const Told plain = table.at(100, registers);
  const Told either = table.at(200, registers);
  EXPECT_EQ(plain.leaves[0], 901U);
  EXPECT_EQ(plain.leaves[1], 900U);
  EXPECT_EQ(plain.leaves[2], 901U);
  EXPECT_EQ(either.leaves[0], 901U);
  EXPECT_EQ(either.leaves[1], 901U);
  EXPECT_EQ(either.leaves[2], 2U);
}

TEST(Telling, AnIdMayStandInCellsOfTheShadowOrTheStack) {
  alignas(8) static uint64_t word;
  define(reinterpret_cast<uintptr_t>(&word), 4, 905);
  define(reinterpret_cast<uintptr_t>(&word) + 4, 4, 904);
  alignas(8) const uint64_t on_stack[2] = {77, 0};
  const Registers registers = {
      reinterpret_cast<uintptr_t>(cell_of(reinterpret_cast<uintptr_t>(&word))),
      reinterpret_cast<uintptr_t>(on_stack)};
  Table table;
  table.add(100, 7, "*2:%rax;*1:%rax;*2:%rbx;%rcx");
  const Told told = table.at(100, registers);
  EXPECT_EQ(told.leaves[0], 905U);
  EXPECT_EQ(told.leaves[1], 905U);
  EXPECT_EQ(told.leaves[2], 77U);
  EXPECT_EQ(told.leaves[3], 0U);
}

TEST(Telling, BehindItsInstructionOnlyTheShadowIsLookedAt) {
  alignas(8) static uint64_t word;
  define(reinterpret_cast<uintptr_t>(&word), 8, 906);
  const Registers registers = {
      reinterpret_cast<uintptr_t>(cell_of(reinterpret_cast<uintptr_t>(&word))), 16,
      CULPRIT_SHADOW_BASE + CULPRIT_SHADOW_SIZE - 8};
  Table table;
  table.add(100, 7, "*2:%rax;*2:%rbx;*2:%rcx");
  const Told told = table.at(101, registers);
  EXPECT_EQ(told.leaves[0], 906U);
  EXPECT_EQ(told.leaves[1], 0U);
  EXPECT_EQ(told.leaves[2], 0U);
}

TEST(Telling, WhereALeafWasReadIsKnownIfItIsReadThereAgain) {
  Table table;
  table.add(100, 7, "%rax;@8:16:%rbx;*2:%rcx");
  Registers registers{};
  registers[1] = 0x1000;
  registers[2] = reinterpret_cast<uintptr_t>(cell_of(0x2008));
  const Told told = table.at(100, registers);
  EXPECT_EQ(told.places[0], 0u);
  EXPECT_EQ(told.places[1], 0x1010u);
  EXPECT_EQ(told.places[2], 0x2008u);
}

} // namespace
} // namespace culprit::locate
