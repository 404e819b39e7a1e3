// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/locate/layout.h"

#include "runtime/locate/child_for_tests.h"
#include "runtime/locate/ids.h"
#include "runtime/locate/values.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

namespace culprit::locate {
namespace {

TEST(Layout, ARowIsAKindAndItsNumbers) {
  const std::string text = "g 1 64\nv 9 32\nl 9 128\nw 10 22 0 10 5\nf 2 0 8 8 4 6\nk 1 4 16 8 7\n";
  std::vector<LayoutRow> rows;
  LayoutRow row{};
  bool bad = false;
  for (size_t at = 0; read_layout_row(text.data(), text.size(), at, row, bad);)
    rows.push_back(row);
  EXPECT_FALSE(bad);
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[0].index, 1u);
  EXPECT_EQ(rows[1].value, 32u);
  EXPECT_EQ(rows[3].fence.length, 22u);
  EXPECT_EQ(rows[3].fence.definition, 5u);
  EXPECT_EQ(rows[4].index, 2u);
  EXPECT_EQ(rows[4].fence.start, 8u);
  EXPECT_EQ(rows[5].index, 1u);
  EXPECT_EQ(rows[5].variable.offset, 16u);
  EXPECT_EQ(rows[5].variable.definition, 7u);
}

TEST(Layout, NothingElseIsARow) {
  for (const char *text : {"g 1\n", "g 1 2", "x 1 2\n", "g  1 2\n", "w 1 2 3 4\n", "\n",
                           "g 1 2 3\n", "g 1 99999999999999999999999\n"}) {
    LayoutRow row{};
    bool bad = false;
    size_t at = 0;
    while (read_layout_row(text, std::strlen(text), at, row, bad))
      ;
    EXPECT_TRUE(bad) << text;
  }
}

// A file without a name, open until this process ends: some rows end it before it could remove one.
std::string written(const std::string &text) {
  const int file = memfd_create("layout", MFD_CLOEXEC);
  if (write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return "";
  return "/proc/self/fd/" + std::to_string(file);
}

// Two variables, the second with the address of the first; one function with a frame.
struct Unit {
  char text[10] = "a text";
  char *pointer = text + 2;
  unsigned char own[1] = {};
  unsigned char *entered = own;
  std::vector<uint64_t> table = {reinterpret_cast<uint64_t>(text),
                                 reinterpret_cast<uint64_t>(&pointer), 32, 16, 0};
  culprit_moved_global globals[2] = {{text, sizeof text}, {&pointer, sizeof pointer}};
  culprit_moved_pointer pointers[1] = {{reinterpret_cast<uint64_t *>(&pointer), 0, 2}};
  culprit_layout_unit unit = {table.data(), table.size(), globals, 2, pointers, 1, &entered, 1};

  void lay_out(const std::string &rows) { register_layout(unit, written(rows).c_str(), ""); }
};

constexpr const char *kRows = "g 0 64\ng 1 128\nw 74 22 64 10 5\nv 2 64\nf 0 8 8 0 8 6\n";

TEST(Layout, VariablesMoveWithTheirValuesAndTheAddressesInThem) {
  Ended ended = in_child([] {
    Unit unit;
    unit.lay_out(kRows);
    auto *text = reinterpret_cast<char *>(CULPRIT_LAYOUT_ARENA + 64);
    auto *pointer = reinterpret_cast<char **>(CULPRIT_LAYOUT_ARENA + 128);
    bool good = unit.table[0] == CULPRIT_LAYOUT_ARENA + 64 && unit.table[2] == 64 &&
                !std::strcmp(text, "a text") && *pointer == text + 2;
    _exit(good ? 0 : 1);
  });
  EXPECT_EQ(ended.code(), 0);
  EXPECT_FALSE(ended.crash);
}

TEST(Layout, AFenceOfAGlobalThatWasWrittenIsToldAtExit) {
  Ended ended = in_child([] {
    Unit unit;
    unit.lay_out(kRows);
    const uintptr_t behind = CULPRIT_LAYOUT_ARENA + 76;
    *reinterpret_cast<char *>(behind) = 1;
    define(behind, 1, 77);
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_GUARD});
  EXPECT_EQ(ended.crash->written, 77u);
  EXPECT_EQ(ended.crash->block, CULPRIT_LAYOUT_ARENA + 64);
  EXPECT_EQ(ended.crash->block_size, 10u);
  EXPECT_EQ(ended.crash->allocated, 5u);
}

TEST(Layout, AFenceOfAFrameIsComparedWhenItEndsOrAtExit) {
  for (const bool ends : {true, false}) {
    Ended ended = in_child([=] {
      Unit unit;
      unit.lay_out(kRows);
      auto frame = reinterpret_cast<uintptr_t>(__culprit_data_stack) - 64;
      __culprit_data_stack -= 64;
      enter_frame(frame, 0);
      *reinterpret_cast<char *>(frame + 12) = 1;
      define(frame + 12, 1, 78);
      if (ends)
        leave_frame(frame, 0);
    });
    ASSERT_TRUE(ended.crash);
    EXPECT_EQ(ended.crash->written, 78u);
    EXPECT_EQ(ended.crash->allocated, 6u);
    EXPECT_EQ(ended.signal(), ends ? SIGABRT : 0);
  }
}

TEST(Layout, KnownCorruptionIsPutBack) {
  Ended ended = in_child([] {
    Unit unit;
    unit.lay_out(kRows);
    auto frame = reinterpret_cast<uintptr_t>(__culprit_data_stack) - 64;
    enter_frame(frame, 0);
    *reinterpret_cast<char *>(frame + 12) = 1;
    define(frame + 12, 1, CULPRIT_ID_CORRUPT | 78);
    leave_frame(frame, 0);
    leave_frame(frame, 0);
  });
  EXPECT_FALSE(ended.crash);
  EXPECT_EQ(ended.code(), 0);
}

TEST(Layout, RowsThatTheProgramHasNoUseForEndIt) {
  for (const char *rows :
       {"g 2 0\n", "v 1 8\n", "v 5 8\n", "f 1 0 8 8 8 1\n", "g 0 17179869184\n"}) {
    Ended ended = in_child([=] {
      Unit unit;
      unit.lay_out(rows);
    });
    EXPECT_EQ(ended.code(), 2) << rows;
  }
}

constexpr const char *kKept = "k 0 4 16 8 6\n";
constexpr uintptr_t kFrame = 0x2a3000000000;

uint64_t *enter(Unit &unit) {
  enter_frame(kFrame, 0);
  return reinterpret_cast<uint64_t *>(unit.table[4]);
}

TEST(Layout, AVariableOfAFunctionThatHasReturnedIsNotUsedAgainAndHasTheIdOfTheReturn) {
  Ended ended = in_child([] {
    static Unit unit;
    unit.lay_out(kKept);
    uint64_t *first = enter(unit);
    *first = 5;
    __culprit_clock = 9 * CULPRIT_TICK;
    leave_frame(kFrame, 0);
    const Id left = id_of(reinterpret_cast<uintptr_t>(first), 8);
    const bool is_poison = *first == 0x6d6d6d6d6d6d6d6d;
    _exit(enter(unit) != first && left == (9 * CULPRIT_TICK | 6) && is_poison ? 7 : 8);
  });
  EXPECT_EQ(ended.code(), 7);
}

// What it is filled with: as an index of bytes, of numbers or of pointers it leads to no memory.
TEST(Layout, AnIndexReadFromAVariableOfAFunctionThatHasReturnedLeadsNowhere) {
  Ended ended = in_child([] {
    static Unit unit;
    unit.lay_out(kKept);
    uint64_t *left = enter(unit);
    leave_frame(kFrame, 0);
    const auto array = reinterpret_cast<uintptr_t>(enter(unit));
    const uint64_t index = *left & UINT32_MAX;
    bool good = lies_in_arena(array, 8);
    for (const uint64_t element : {1, 2, 4, 8, 16})
      good = good && !lies_in_arena(array + index * element, 1);
    const int *wild = reinterpret_cast<const int *>(array) + index;
    if (!good)
      _exit(8);
    _exit(*wild);
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->signal, uint32_t{SIGSEGV});
}

TEST(Layout, AnActivationOfItsOwnHasVariablesOfItsOwn) {
  Ended ended = in_child([] {
    static Unit unit;
    unit.lay_out(kKept);
    uint64_t *outer = enter(unit);
    enter_frame(kFrame - 64, 0);
    auto *inner = reinterpret_cast<uint64_t *>(unit.table[4]);
    *outer = 5;
    leave_frame(kFrame - 64, 0);
    _exit(inner != outer && *outer == 5 ? 7 : 8);
  });
  EXPECT_EQ(ended.code(), 7);
}

TEST(Layout, AVariableThatIsWrittenAfterTheReturnIsACrashWhenItsPlaceIsNeeded) {
  Ended ended = in_child([] {
    static Unit unit;
    unit.lay_out(kKept);
    uint64_t *variable = enter(unit);
    __culprit_clock = 9 * CULPRIT_TICK;
    leave_frame(kFrame, 0);
    *variable = 5;
    define(reinterpret_cast<uintptr_t>(variable), 8, 10 * CULPRIT_TICK | 2);
    for (int i = 0; i < 1 << 20; ++i) {
      enter(unit);
      leave_frame(kFrame, 0);
    }
  });
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_FREED_WRITE});
  EXPECT_EQ(ended.crash->written, 10 * CULPRIT_TICK | 2);
  EXPECT_EQ(ended.crash->freed, 9 * CULPRIT_TICK | 6);
  EXPECT_EQ(ended.crash->allocated, 6u);
  EXPECT_EQ(ended.crash->block_size, 8u);
}

} // namespace
} // namespace culprit::locate
