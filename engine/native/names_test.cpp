// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the debug information of this very test (CMakeLists.txt compiles it with -g).
#include "engine/native/names.h"

#include "abi/access.h"
#include "abi/native_names.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

// What is looked up, with external linkage so that nothing of it is left out.
namespace native_names_sample {

struct Inner {
  int first;
  char second;
};
struct Left {
  int id;
};
struct Right {
  int id;
};
struct Sample : Left, Right {
  Inner pair;
  Inner several[3];
  union {
    int number;
    float fraction;
  };
  unsigned low : 3;
  unsigned high : 5;
  char text[9];
};
struct Flexible {
  int length;
  char bytes[1];
};
struct TooLarge {
  int first;
  char more[CULPRIT_LAYOUT_BYTES];
};

Sample g_sample[2];
Flexible g_flexible;
TooLarge g_too_large;
long g_plain;

__attribute__((noinline)) void use(void *memory) { asm volatile("" : : "r"(memory) : "memory"); }

// A sanitizer would keep them elsewhere than in the frame.
__attribute__((noinline, no_sanitize("address"))) long locals() {
  static long calls[2];
  char line[24];
  Inner one = {1, 'a'};
  int number = 3;
  use(line);
  use(&one);
  use(&number);
  use(calls);
  return number + line[0];
}

__attribute__((noinline, no_sanitize("address"))) int scalars_alone() {
  int number = 4;
  use(&number);
  return number;
}

} // namespace native_names_sample

namespace culprit::native {
namespace {

const FileNames &own_names() {
  static const FileNames names = [] {
    native_names_sample::use(&native_names_sample::g_plain);
    native_names_sample::g_plain = native_names_sample::locals();
    native_names_sample::g_plain += native_names_sample::scalars_alone();
    auto read = read_names("/proc/self/exe");
    return read ? std::move(*read) : FileNames();
  }();
  return names;
}

const Variable *global(std::string_view part_of_name) {
  for (const Variable &variable : own_names().globals)
    if (variable.name.contains(part_of_name))
      return &variable;
  return nullptr;
}

const Function *function_with(std::string_view local) {
  for (const Function &function : own_names().functions)
    for (const Variable &variable : function.variables)
      if (variable.name == local && variable.function == "native_names_sample::locals")
        return &function;
  return nullptr;
}

const Variable *local_of(const Function &function, std::string_view name) {
  const auto found = std::ranges::find(function.variables, name, &Variable::name);
  return found == function.variables.end() ? nullptr : &*found;
}

Variable at(int64_t place, uint64_t size, std::string name, std::string function = "f") {
  Variable variable;
  variable.place = place;
  variable.size = size;
  variable.name = std::move(name);
  variable.function = std::move(function);
  return variable;
}

TEST(NativeNames, MembersAreNamedAsInTheFlavours) {
  const Variable *sample = global("g_sample");
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->size, sizeof native_names_sample::g_sample);
  EXPECT_FALSE(sample->internal);
  ASSERT_NE(sample->layout, 0u);
  const Layout &layout = own_names().layouts[sample->layout - 1];
  EXPECT_EQ(layout.members,
            (std::vector<std::string>{"Left::id", "Right::id", "pair.first", "pair.second",
                                      "several[].first", "several[].second", "number|fraction",
                                      "low|high", "text"}));
  EXPECT_EQ(layout.size, sizeof(native_names_sample::Sample));
  EXPECT_EQ(layout.rest, 0u) << "an array of them repeats";
}

TEST(NativeNames, AFlexibleArrayGoesOnToTheEnd) {
  const Variable *flexible = global("g_flexible");
  ASSERT_TRUE(flexible != nullptr && flexible->layout != 0);
  const Layout &layout = own_names().layouts[flexible->layout - 1];
  EXPECT_EQ(layout.members, (std::vector<std::string>{"length", "bytes"}));
  EXPECT_EQ(layout.rest, 2u);
}

TEST(NativeNames, WhatIsTooLargeOrNoStructIsOneName) {
  ASSERT_TRUE(global("g_too_large") != nullptr && global("g_plain") != nullptr);
  EXPECT_EQ(global("g_too_large")->layout, 0u);
  EXPECT_EQ(global("g_plain")->layout, 0u);
}

TEST(NativeNames, AStaticVariableIsItsFunctions) {
  const auto found = std::ranges::find_if(own_names().globals, [](const Variable &variable) {
    return variable.function == "native_names_sample::locals";
  });
  ASSERT_NE(found, own_names().globals.end());
  EXPECT_TRUE(found->name.contains("calls"));
  EXPECT_TRUE(found->internal);
}

TEST(NativeNames, LocalsHaveAPlaceInTheFrame) {
  const Function *function = function_with("line");
  ASSERT_NE(function, nullptr);
  const Variable *line = local_of(*function, "line");
  const Variable *one = local_of(*function, "one");
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(line->size, 24u);
  EXPECT_NE(one->layout, 0u);
  EXPECT_LE(line->place + 24, -8);
  EXPECT_NE(local_of(*function, "number"), nullptr)
      << "an array is beside it, which may run over it";
  EXPECT_TRUE(line->file.ends_with("names_test.cpp"));
  EXPECT_NE(line->line, 0u);
}

TEST(NativeNames, AFunctionWithoutArraysAndStructsHasNoNamesInItsFrame) {
  for (const Function &function : own_names().functions)
    for (const Variable &variable : function.variables)
      EXPECT_NE(variable.function, "native_names_sample::scalars_alone");
}

TEST(NativeNames, VariablesThatShareBytesAreOne) {
  const auto apart =
      without_overlap({at(-64, 16, "a"), at(-32, 8, "c"), at(-56, 16, "b", "g")}, "f");
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_EQ(apart[0].name, "a|b");
  EXPECT_EQ(apart[0].function, "f");
  EXPECT_EQ(apart[0].place, -64);
  EXPECT_EQ(apart[0].size, 24u);
  EXPECT_EQ(apart[1].name, "c");
}

TEST(NativeNames, CopiesOfOneVariableInOnePlaceKeepItsMembers) {
  Variable variable = at(-64, 16, "a");
  variable.layout = 3;
  EXPECT_EQ(without_overlap({variable, variable}, "f"), std::vector{variable});
  Variable other = at(-64, 16, "b");
  const auto joined = without_overlap({variable, other}, "f");
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].layout, 0u) << "which of them is there, nobody knows";
}

TEST(NativeNames, TheTableHasWhatWasRead) {
  const std::string table = table_of(std::span(&own_names(), 1));
  ASSERT_GE(table.size(), sizeof(culprit_native_names));
  culprit_native_names head{};
  std::memcpy(&head, table.data(), sizeof head);
  EXPECT_EQ(head.magic, CULPRIT_NATIVE_NAMES_MAGIC);
  EXPECT_EQ(head.size, table.size());
  EXPECT_EQ(head.part[CULPRIT_NAMES_MODULES].count, 1u);
  EXPECT_EQ(head.part[CULPRIT_NAMES_LAYOUTS].count, own_names().layouts.size());
  EXPECT_EQ(head.part[CULPRIT_NAMES_FUNCTIONS].count, own_names().functions.size());
}

TEST(NativeNames, AFileThatIsNoneOrDamagedHasNothingToSay) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "native_names";
  std::ofstream(file) << "no program";
  EXPECT_FALSE(read_names(file));
  EXPECT_EQ(names_table(std::span(&file, 1)), "");
  std::filesystem::remove(file);
}

} // namespace
} // namespace culprit::native
