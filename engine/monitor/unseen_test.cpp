// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/monitor/unseen.h"

#include <gtest/gtest.h>

namespace culprit::monitor {
namespace {

TEST(Unseen, TheCAndCxxLibrariesWriteForTheirCaller) {
  for (const char *name : {"libc.so.6", "ld-linux-x86-64.so.2", "libm.so.6", "libstdc++.so.6"})
    EXPECT_TRUE(is_system_library(name)) << name;
  for (const char *name : {"libz.so.1", "libcrypto.so.3", "libmine.so", "libdlib.so"})
    EXPECT_FALSE(is_system_library(name)) << name;
}

TEST(Unseen, ObjectsWithoutBitcodeAreNamedOnce) {
  build::Carried carried;
  carried.units = {build::NativeObject{"/build/sum.o", ""}, build::Module{},
                   build::NativeObject{"other/sum.o", ""}, build::NativeObject{"scale.o", ""}};
  EXPECT_EQ(unseen_parts({.original = "/nowhere"}, carried),
            (std::vector<std::string>{"sum.o", "scale.o"}));
}

TEST(Unseen, TheSentenceNamesFewAndCountsTheRest) {
  EXPECT_EQ(unseen_text({}), "");
  EXPECT_EQ(unseen_text({"liba.so"}),
            "what liba.so writes is not seen, for want of bitcode; --deep sees it");
  EXPECT_EQ(unseen_text({"a", "b", "c", "d", "e", "f"}),
            "what a, b, c, d and 2 more write is not seen, for want of bitcode; --deep sees it");
}

} // namespace
} // namespace culprit::monitor
