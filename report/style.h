// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colour, or none, and the terminal's width. Colours carry no information of their own: a report
// without them says the same.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace culprit::report {

struct Style {
  bool color = false;
  size_t width = 0; // columns; 0: no terminal, so no bound

  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string alarm(std::string_view text) const { return paint("1;31", text); }   // findings
  std::string caution(std::string_view text) const { return paint("1;35", text); } // notes
  std::string caret(std::string_view text) const { return paint("1;32", text); }
  std::string faint(std::string_view text) const { return paint("2", text); }

private:
  std::string paint(std::string_view code, std::string_view text) const {
    if (!color || text.empty())
      return std::string(text);
    return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
  }
};

} // namespace culprit::report
