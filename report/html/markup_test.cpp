// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/html/markup.h"

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <regex>

namespace culprit::report::html {
namespace {

// Is it UTF-8, by another way than the one under test?
bool is_utf8(const std::string &text) {
  static const std::regex kCharacters(
      "(?:[\\x00-\\x7f]|[\\xc2-\\xdf][\\x80-\\xbf]|[\\xe0-\\xef][\\x80-\\xbf]{2}|"
      "[\\xf0-\\xf4][\\x80-\\xbf]{3})*");
  return std::regex_match(text, kCharacters);
}

// Text that a browser takes for text, whatever it was made of.
void expect_harmless(const std::string &shown) {
  EXPECT_EQ(shown.find_first_of("<>\"'"), std::string::npos) << shown;
  EXPECT_TRUE(is_utf8(shown)) << shown;
  for (const char c : shown)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\t') << static_cast<int>(c);
  EXPECT_EQ(shown.find('\x7f'), std::string::npos);
  static const std::regex kEntities("&(?!(?:amp|lt|gt|quot|#39);)");
  EXPECT_FALSE(std::regex_search(shown, kEntities)) << shown;
  for (const char *direction : {"\u202e", "\u202d", "\u2066", "\u200b", "\u200f", "\ufeff"})
    EXPECT_EQ(shown.find(direction), std::string::npos) << shown;
}

TEST(Escaped, AnyBytesAreHarmless) {
  std::mt19937_64 random(20061203);
  static const std::array<std::string, 22> kParts = {"<script>",
                                                     "</script>",
                                                     "\"",
                                                     "'",
                                                     "&",
                                                     "&lt;",
                                                     "&#x3c;",
                                                     "<!--",
                                                     "]]>",
                                                     "\x1b[31m",
                                                     "\n",
                                                     "\r",
                                                     std::string(1, '\0'),
                                                     "\xff",
                                                     "\xc0\xbc",
                                                     "\xed\xa0\x80",
                                                     "\xf4\x90\x80\x80",
                                                     "\u202e",
                                                     "\u200b",
                                                     "\xc2\x9b",
                                                     "ä",
                                                     "javascript:"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (uint64_t n = random() % 12; n > 0; --n)
      if (random() % 2 == 0)
        text += kParts.at(random() % kParts.size());
      else
        text += static_cast<char>(random() % 256);
    expect_harmless(escaped(text));
  }
}

TEST(Escaped, OrdinaryTextIsItself) {
  const std::string text = "load_assets at src/größe.c:57:3 — 31.0 %, 日本\t😀";
  EXPECT_EQ(escaped(text), text);
}

TEST(Escaped, ShowsWhatItDisarms) {
  EXPECT_EQ(escaped("a\x1b[1mb\n"), "a␛[1mb␊");
  EXPECT_EQ(escaped("x\u202ey"), "x⟨U+202E⟩y");
  EXPECT_EQ(escaped("<b title=\"1\">"), "&lt;b title=&quot;1&quot;&gt;");
  EXPECT_EQ(escaped("a\xff"), "a\ufffd");
}

TEST(Element, NothingLeavesItsAttribute) {
  const Markup made = element("p", {{"title", "\"><script>"}}, "</p><script>");
  EXPECT_EQ(made.bytes(), "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;/p&gt;&lt;script&gt;</p>");
}

TEST(Element, LinksStayInThePage) {
  EXPECT_EQ(element("a", {{"href", "#finding-1"}}, "x").bytes(), "<a href=\"#finding-1\">x</a>");
  for (const char *outside :
       {"javascript:alert(1)", "https://example.org/", "//example.org", "a.html"})
    EXPECT_EQ(element("a", {{"href", outside}}, "x").bytes(), "<a>x</a>");
}

TEST(Lines, StayLines) { EXPECT_EQ(lines("a<\n\nb\r\n").bytes(), "a&lt;\n\nb␍\n"); }

} // namespace
} // namespace culprit::report::html
