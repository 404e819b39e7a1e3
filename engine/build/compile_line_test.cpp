// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/compile_line.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace culprit::build {
namespace {

using Words = std::vector<std::string>;

Toolchain toolchain() {
  Toolchain tools;
  tools.clang = "/bin/clang";
  tools.clangxx = "/bin/clang++";
  tools.lld = "/bin/ld.lld";
  tools.plugin = "/lib/plugin.so";
  tools.linker = "/lib/culprit-ld";
  tools.include = "/include";
  return tools;
}

Words command(const Words &arguments) { return driver_command(toolchain(), false, arguments).argv; }

bool contains(const Words &words, std::string_view part) {
  return std::ranges::any_of(
      words, [&](const std::string &word) { return word.find(part) != std::string::npos; });
}

TEST(DriverCommand, CommandsWithoutAnInputArePassedOnUnchanged) {
  for (const Words &arguments : {Words{"--version"}, Words{"-v"}, Words{}}) {
    Words expected = {"/bin/clang"};
    expected.insert(expected.end(), arguments.begin(), arguments.end());
    EXPECT_EQ(command(arguments), expected);
  }
}

TEST(DriverCommand, ModesWithoutAnObjectOnlyFindOurHeader) {
  for (const Words &arguments : {Words{"-E", "a.c"}, Words{"-M", "a.c"},
                                 Words{"-fsyntax-only", "a.c"}, Words{"-S", "-emit-llvm", "a.c"}}) {
    Words expected = {"/bin/clang"};
    expected.insert(expected.end(), arguments.begin(), arguments.end());
    for (const char *added :
         {"--start-no-unused-arguments", "-idirafter/include", "--end-no-unused-arguments"})
      expected.emplace_back(added);
    EXPECT_EQ(command(arguments), expected);
  }
  EXPECT_TRUE(contains(command({"-c", "a.c"}), "-idirafter/include"));
}

TEST(DriverCommand, DebugInformationIsAddedAndStrippedOnlyIfTheUserWantsNone) {
  for (const char *wants : {"-g", "-g1", "-g3", "-ggdb", "-gdwarf-4", "-gline-tables-only"})
    EXPECT_FALSE(contains(command({"-c", wants, "a.c"}), "culprit-strip-debug")) << wants;
  EXPECT_TRUE(contains(command({"-c", "a.c"}), "culprit-strip-debug"));
  EXPECT_TRUE(contains(command({"-c", "-g", "-g0", "a.c"}), "culprit-strip-debug"));
  EXPECT_FALSE(contains(command({"-c", "-g0", "-g", "a.c"}), "culprit-strip-debug"));
}

TEST(DriverCommand, TheShimStandsInForTheLinkerTheUserChose) {
  EXPECT_TRUE(driver_command(toolchain(), false, {"-c", "a.c"}).linker.empty());
  EXPECT_EQ(driver_command(toolchain(), false, {"a.c", "--ld-path=/my/ld"}).linker, "/my/ld");
  EXPECT_EQ(driver_command(toolchain(), false, {"a.c", "-fuse-ld=/my/other"}).linker, "/my/other");
  EXPECT_TRUE(contains(command({"a.o"}), "--ld-path=/lib/culprit-ld"));
}

// (clang's table spells an alias as what it stands for: -mno-sse4 is -mno-sse4.1.)
TEST(CodeGenerationOptions, WhatShapesTheCodeStaysAndTheRestGoes) {
  const Words kept = code_generation_options({"-O2",
                                              "-Iinclude",
                                              "-DX=1",
                                              "-Wall",
                                              "-Werror",
                                              "-c",
                                              "a.c",
                                              "-o",
                                              "a.o",
                                              "-fPIC",
                                              "-MD",
                                              "-MF",
                                              "a.d",
                                              "-march=haswell",
                                              "-ffunction-sections",
                                              "--coverage",
                                              "-lm",
                                              "-L.",
                                              "-Wl,-s",
                                              "-include",
                                              "config.h",
                                              "-std=c11",
                                              "-mno-sse4",
                                              "-fno-strict-aliasing",
                                              "-pthread",
                                              "-isystem",
                                              "dir",
                                              "-fsanitize=address",
                                              "-x",
                                              "c",
                                              "-g"});
  EXPECT_EQ(kept,
            (Words{"-O2", "-fPIC", "-march=haswell", "-ffunction-sections", "--coverage",
                   "-mno-sse4.1", "-fno-strict-aliasing", "-pthread", "-fsanitize=address", "-g"}));
}

} // namespace
} // namespace culprit::build
