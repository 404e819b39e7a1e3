// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/excerpt.h"

#include <gtest/gtest.h>

namespace culprit::report {
namespace {

TEST(Excerpt, TheCaretRunsFromTheColumnToTheEndOfTheStatement) {
  EXPECT_EQ(render({"  at->next = n;", 57, 3, "linked here"}, {}),
            "   57 |   at->next = n;\n"
            "      |   ^~~~~~~~~~~~ linked here\n");
}

TEST(Excerpt, AnAssignmentIsMarkedFromItsStart) {
  EXPECT_EQ(render({"  if (x) { at->next = n; }", 57, 21, ""}, {}),
            "   57 |   if (x) { at->next = n; }\n"
            "      |            ~~~~~~~~~^~~\n");
}

TEST(Excerpt, TabsAndCharactersOfSeveralBytesKeepTheCaretInPlace) {
  EXPECT_EQ(render({"\tputs(\"é\"); x = y;", 8, 14, ""}, {}), "    8 |  puts(\"é\"); x = y;\n"
                                                              "      |             ^~~~~\n");
}

TEST(Excerpt, AColumnOutsideTheLineGivesNoCaret) {
  EXPECT_EQ(render({"x;", 3, 40, "here"}, {}), "    3 | x;\n      | here\n");
  EXPECT_EQ(render({"x;", 3, 0, ""}, {}), "    3 | x;\n");
}

TEST(Excerpt, ControlCharactersOfTheFileDoNotReachTheTerminal) {
  EXPECT_EQ(render({"a\x1b[31mb;", 1, 1, ""}, {}).find('\x1b'), std::string::npos);
}

TEST(Excerpt, OfALongLineThePartAroundTheColumnIsShown) {
  const std::string line = std::string(400, 'a') + "; here = there; " + std::string(400, 'b');
  const std::string shown = render({line, 1, 403, ""}, {});
  EXPECT_NE(shown.find("here = there"), std::string::npos) << shown;
  EXPECT_LT(shown.size(), 500);
}

TEST(Excerpt, ColourPaintsTheCaretOnly) {
  EXPECT_EQ(render({"x = 1;", 1, 1, "here"}, {.color = true}),
            "    1 | x = 1;\n      | \x1b[1;32m^~~~~\x1b[0m here\n");
}

} // namespace
} // namespace culprit::report
