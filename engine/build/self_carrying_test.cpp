// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/self_carrying.h"

#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace culprit::build {
namespace {

// An object without frames that every machine with a C library has.
std::string native_object() {
  std::ifstream file("/usr/lib/x86_64-linux-gnu/crt1.o", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string member(const std::string &name, const std::string &bytes) {
  std::string text =
      fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name, 0, 0, 0, 644, bytes.size());
  text += bytes;
  return text.size() % 2 == 0 ? text : text + "\n";
}

std::string index_of(const std::string &symbol) {
  const std::string names = symbol + std::string(1, '\0');
  const uint32_t offset = static_cast<uint32_t>(8 + 60 + (8 + names.size() + 1) / 2 * 2);
  std::string table("\0\0\0\1\0\0\0", 7);
  return table + static_cast<char>(offset) + names;
}

TEST(SelfCarrying, ACopyCarriesAFrameAndItsOriginalDoesNot) {
  const std::string object = native_object();
  ASSERT_FALSE(carries_frame(object));
  const auto copy = self_carrying_copy(object, "crt1.o");
  ASSERT_TRUE(copy) << copy.error().what;
  EXPECT_TRUE(carries_frame(*copy));
}

TEST(SelfCarrying, WhatIsNoElfObjectIsRefused) {
  for (const char *bytes : {"", "text", "\x64\x86\1\0", "BC\xc0\xde", "\177ELF"})
    EXPECT_FALSE(self_carrying_copy(bytes, "x")) << bytes;
}

TEST(SelfCarrying, MembersOfAnArchiveKeepTheirNames) {
  const std::string archive =
      "!<arch>\n" + member("/", index_of("_start")) + member("start.o/", native_object());
  const auto copy = self_carrying_archive(archive, "x.a");
  ASSERT_TRUE(copy) << copy.error().what;
  ASSERT_TRUE(*copy);
  EXPECT_NE((*copy)->find("start.o/ "), std::string::npos);
  EXPECT_TRUE(carries_frame(**copy));
}

TEST(SelfCarrying, AMemberThatIsCutShortIsRefused) {
  const std::string archive = "!<arch>\n" + member("start.o/", native_object());
  for (const size_t missing : {2, 5, 100})
    EXPECT_FALSE(self_carrying_archive(archive.substr(0, archive.size() - missing), "x.a"));
}

TEST(SelfCarrying, AnIndexIsNeverMadeBetterThanItWas) {
  // The linker would not find _start through this index, and must not find it through the copy's.
  EXPECT_FALSE(self_carrying_archive(
      "!<arch>\n" + member("/", index_of("_stark")) + member("start.o/", native_object()), "x.a"));
  const auto copy = self_carrying_archive("!<arch>\n" + member("start.o/", native_object()), "x.a");
  ASSERT_TRUE(copy) << copy.error().what;
  ASSERT_TRUE(*copy);
  EXPECT_TRUE((*copy)->starts_with("!<arch>\nstart.o/"));
}

} // namespace
} // namespace culprit::build
