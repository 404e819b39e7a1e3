// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/wrap.h"

#include <gtest/gtest.h>

namespace culprit::report {
namespace {

TEST(Wrap, NotesGoOnBelowTheirWords) {
  EXPECT_EQ(wrapped("      = suspects: insert_after · slot_of\n", 30),
            "      = suspects: insert_after\n        · slot_of\n");
}

TEST(Wrap, RemarksGoOnBehindTheirBar) {
  EXPECT_EQ(wrapped("      | lost their pointer here, in insert_after()\n", 31),
            "      | lost their pointer\n      | here, in insert_after()\n");
}

TEST(Wrap, HeadlinesGoOnIndented) {
  EXPECT_EQ(wrapped("a.c:1:2: heap anomaly: 'indegree = 2' is wrong\n", 32),
            "a.c:1:2: heap anomaly: 'indegree\n    = 2' is wrong\n");
}

TEST(Wrap, CommandsAndSourceStayWhole) {
  const std::string command = "next: culprit check -v -- ./game level7.map and more\n";
  EXPECT_EQ(wrapped(command, 20), command);
  const std::string source = "   57 |   at->next = n; and so on and so on\n";
  EXPECT_EQ(wrapped(source, 20), source);
}

TEST(Wrap, ColoursTakeNoRoom) {
  EXPECT_EQ(columns_of("\x1b[1;31mab\x1b[0m·"), 3U);
  const std::string text = "\x1b[1;31mone two three four five six seven\x1b[0m\n";
  EXPECT_EQ(wrapped(text, 33), text);
  EXPECT_EQ(wrapped(text, 32), "\x1b[1;31mone two three four five six\n    seven\x1b[0m\n");
}

TEST(Wrap, ColouredLinesGoOnWhereTheirWordsBegin) {
  EXPECT_EQ(wrapped("\x1b[2m        | return sscanf(text, format, &year) == 3;\x1b[0m\n", 32),
            "\x1b[2m        | return sscanf(text,\n        | format, &year) == 3;\x1b[0m\n");
  EXPECT_EQ(wrapped("\x1b[1mnext: culprit check -- ./a\x1b[0m\n", 20),
            "\x1b[1mnext: culprit check -- ./a\x1b[0m\n");
}

TEST(Wrap, AWordThatIsTooLongHasALineOfItsOwn) {
  EXPECT_EQ(wrapped("at /a/very/long/path/to/some/file.c it is\n", 24),
            "at\n    /a/very/long/path/to/some/file.c\n    it is\n");
}

TEST(Wrap, WithoutATerminalLinesAreAsTheyAre) {
  const std::string text(500, 'x');
  EXPECT_EQ(wrapped(text, 0), text);
}

} // namespace
} // namespace culprit::report
