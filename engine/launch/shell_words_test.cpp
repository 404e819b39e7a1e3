// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/shell_words.h"

#include "engine/launch/spawn.h"

#include <gtest/gtest.h>
#include <random>

namespace culprit::launch {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view text) {
  Result<ShellLine> line = parse_shell_line(text);
  if (!line) {
    ADD_FAILURE() << text << ": " << line.error().what;
    return {};
  }
  return line->words;
}

std::string complaint(std::string_view text) {
  Result<ShellLine> line = parse_shell_line(text);
  return line ? "accepted" : line.error().what;
}

TEST(ShellWords, SplitsAtBlanks) {
  EXPECT_EQ(words("a  b\tc \r"), (Words{"a", "b", "c"}));
  EXPECT_EQ(words(""), Words{});
  EXPECT_EQ(words("   "), Words{});
}

TEST(ShellWords, SingleQuotesKeepEverything) {
  EXPECT_EQ(words(R"('a b' '' '\n$x`' pre'mid'post)"), (Words{"a b", "", "\\n$x`", "premidpost"}));
}

TEST(ShellWords, DoubleQuotesEscapeOnlyWhatAShellEscapes) {
  EXPECT_EQ(words(R"("a b" "\"" "\\" "\$HOME" "\n" "it's" "" "cost: $")"),
            (Words{"a b", "\"", "\\", "$HOME", "\\n", "it's", "", "cost: $"}));
}

TEST(ShellWords, BackslashQuotesOneCharacter) {
  EXPECT_EQ(words(R"(a\ b \' \" \\ \< \# \|)"), (Words{"a b", "'", "\"", "\\", "<", "#", "|"}));
  EXPECT_EQ(words("joi\\\nned"), Words{"joined"});
}

TEST(ShellWords, CommentsBeginAtTheStartOfAWordOnly) {
  EXPECT_EQ(words("a # b"), Words{"a"});
  EXPECT_EQ(words("a#b '#c'"), (Words{"a#b", "#c"}));
}

TEST(ShellWords, RedirectsStandardInput) {
  EXPECT_EQ(*parse_shell_line("-d < 'in file'"), (ShellLine{{"-d"}, "in file"}));
  EXPECT_EQ(*parse_shell_line("<in -d"), (ShellLine{{"-d"}, "in"}));
  EXPECT_EQ(*parse_shell_line("-d<in"), (ShellLine{{"-d"}, "in"}));
  EXPECT_EQ(*parse_shell_line("'2'<in"), (ShellLine{{"2"}, "in"}));
  EXPECT_EQ(*parse_shell_line("'<' in"), (ShellLine{{"<", "in"}, std::nullopt}));
}

TEST(ShellWords, SaysWhatIsUnterminatedAndWhere) {
  EXPECT_EQ(complaint("ab 'c"), "column 4: a single quote is not closed");
  EXPECT_NE(complaint("ab \"c\\\""), "accepted");
  EXPECT_EQ(complaint("ab\\"), "column 3: a backslash at the end quotes nothing");
  EXPECT_NE(complaint("a <"), "accepted");
}

TEST(ShellWords, RefusesWhatAShellWouldTakeForMoreThanWords) {
  for (const char *text :
       {"a | b", "a > b", "a && b", "a; b", "(a)", "a 2< b", "a << b", "a < b < c", "a < < b",
        "$HOME", "\"$HOME\"", "`a`", "\"`a`\"", "$(a)", "$'a'", "a <(b)"})
    EXPECT_NE(complaint(text), "accepted") << text;
}

std::string random_word(std::mt19937 &random) {
  constexpr std::string_view kAlphabet = "ab'\"\\ $`<>|&;()#~*?[]{}\t\n!=%\xc3\xa9";
  std::string word;
  for (size_t length = random() % 8; length > 0; --length)
    word += kAlphabet[random() % kAlphabet.size()];
  return word;
}

ShellLine random_line(std::mt19937 &random) {
  ShellLine line;
  for (size_t count = random() % 5; count > 0; --count)
    line.words.push_back(random_word(random));
  if (random() % 3 == 0)
    line.standard_input = random_word(random);
  return line;
}

TEST(ShellWords, WhatIsQuotedParsesBackToItself) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    ShellLine line = random_line(random);
    Result<ShellLine> back = parse_shell_line(shell_quote(line));
    ASSERT_TRUE(back) << shell_quote(line) << ": " << back.error().what;
    ASSERT_EQ(*back, line) << shell_quote(line);
  }
}

TEST(ShellWords, ALineThatIsAcceptedMeansTheSameToSh) {
  constexpr std::string_view kAlphabet = "ab'\"\\ $`#&=";
  std::mt19937 random(2);
  int accepted = 0;
  std::string script = "set -f\n";
  std::string expected;
  for (int i = 0; i < 4000; ++i) {
    std::string text;
    for (size_t length = random() % 10; length > 0; --length)
      text += kAlphabet[random() % kAlphabet.size()];
    Result<ShellLine> line = parse_shell_line(text);
    if (!line)
      continue;
    ++accepted;
    script += "printf '[%s]' x " + text + "\necho\n";
    expected += "[x]";
    for (const std::string &word : line->words)
      expected += "[" + word + "]";
    expected += "\n";
  }
  ASSERT_GT(accepted, 200);
  Result<ToolOutcome> shell = run_tool({.argv = {"sh", "-c", script}});
  ASSERT_TRUE(shell);
  EXPECT_EQ(shell->err, "");
  EXPECT_EQ(shell->out, expected);
}

TEST(ShellWords, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(shell_quote("plain-1.2/x"), "plain-1.2/x");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_quote(ShellLine{{"a b"}, "c"}), "'a b' < c");
}

} // namespace
} // namespace culprit::launch
