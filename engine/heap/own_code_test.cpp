// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/heap/own_code.h"

#include <gtest/gtest.h>

namespace culprit::heap {
namespace {

TEST(OwnCode, NamesOfTheLibrariesAreKnown) {
  for (const char *name : {"_ZNSt6vectorIiE9push_backERKi", "_ZNKSt4listIiE4sizeEv",
                           "_ZSt4moveIRiEvOT_", "_ZN9__gnu_cxx13new_allocatorIiE8allocateEm",
                           "_ZNSs6appendEPKc", "_Znwm", "_ZdlPvm", "__libc_start_main"})
    EXPECT_TRUE(is_library_name(name)) << name;
  // Names of programs may look alike.
  for (const char *name : {"main", "_ZN4Town4roadEv", "_ZN5Store3addEi", "_ZN2St3addEv", "std_add",
                           "_start_list", "_Z4nextv", "_Z6deletev", "sort"})
    EXPECT_FALSE(is_library_name(name)) << name;
}

TEST(OwnCode, HeadersOfTheSystemAreNotTheProgram) {
  EXPECT_TRUE(is_library_file("/usr/include/c++/12/bits/stl_list.h"));
  EXPECT_TRUE(
      is_library_file("/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/list"));
  EXPECT_TRUE(is_library_file("/opt/gcc-14/include/c++/14.2.0/bits/stl_list.h"));
  EXPECT_TRUE(is_library_file("/opt/llvm/include/c++/v1/list"));
  EXPECT_TRUE(is_library_file("/usr/local/include/boost/container/list.hpp"));
  EXPECT_FALSE(is_library_file("/home/me/include/c++/list.h"));
  EXPECT_FALSE(is_library_file("/home/me/usr/include/list.h"));
  EXPECT_FALSE(is_library_file("src/list.c"));
  EXPECT_FALSE(is_library_file(""));
}

TEST(OwnCode, FramesAreTheProgramsOwnInnermostFirst) {
  Site site;
  site.function = "_ZNSt4listIiE9push_backERKi";
  site.at = {
      {"_ZNSt4listIiE6insertEv", "", 1, 1}, {"connect", "a.cpp", 7, 3}, {"main", "a.cpp", 9, 1}};
  const std::vector<InlinedAt> frames = own_frames(site);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "connect");
  EXPECT_EQ(frames[1].function, "main");
  site.at.clear();
  EXPECT_TRUE(own_frames(site).empty());
}

TEST(OwnCode, ABlockIsAllocatedWhereTheProgramAskedTheLibraryForIt) {
  Site make;
  make.function = "_ZSt11make_uniqueI4NodeJEE";
  make.file = "/usr/include/c++/12/bits/unique_ptr.h";
  Site insert;
  insert.function = "insert";
  insert.file = "/src/tree.cpp";
  Site operate = insert;
  operate.function = "operate";
  const auto asked = [](std::vector<const Site *> chain) { return own_allocation_site(chain); };
  EXPECT_EQ(asked({&make, &insert, &operate}), &insert);
  EXPECT_EQ(asked({&insert, &operate}), &insert);
  EXPECT_EQ(asked({&make, nullptr}), &make) << "nobody else is known";
  insert.wrapper = true; // merely hands out what the library allocated
  EXPECT_EQ(asked({&make, &insert, &operate}), &operate);
  EXPECT_EQ(asked({}), nullptr);
}

} // namespace
} // namespace culprit::heap
