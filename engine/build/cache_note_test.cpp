// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/build/cache_note.h"

#include <gtest/gtest.h>

namespace culprit::build {
namespace {

TEST(CacheNote, ANoteComesBackAsItWas) {
  const CacheNote note{"prog", "base", "0123456789abcdef"};
  EXPECT_EQ(cache_note_from_json(to_json(note)), note);
}

TEST(CacheNote, ANoteThatLacksAPartIsNone) {
  EXPECT_FALSE(cache_note_from_json(""));
  EXPECT_FALSE(cache_note_from_json("[]"));
  EXPECT_FALSE(cache_note_from_json(R"({"program":"a","flavour":"base"})"));
  EXPECT_FALSE(cache_note_from_json(R"({"program":"a","flavour":1,"checksum":"b"})"));
}

TEST(CacheNote, ALimitIsANumberAndNothingElse) {
  EXPECT_EQ(parse_cache_limit("4000\n"), 4000U);
  for (const char *text : {"", "\n", "4000", "40x0\n", "-1\n", "99999999999999999999999\n"})
    EXPECT_FALSE(parse_cache_limit(text)) << text;
}

} // namespace
} // namespace culprit::build
