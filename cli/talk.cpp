// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/talk.h"

#include "report/utf8.h"

#include <fmt/format.h>

namespace culprit::cli {

namespace {

// One line, and harmless on a terminal: names and messages may come out of a damaged file.
std::string one_line(std::string text) {
  constexpr size_t kLongest = 1000;
  if (text.size() > kLongest)
    text = text.substr(0, kLongest) + "...";
  return report::printable(text);
}

} // namespace

void say_making(bool quiet, std::string_view flavour, std::string_view file) {
  if (!quiet)
    fmt::print(stderr, "culprit: making the {} flavour of {}\n", flavour, report::printable(file));
}

int report_error(const Error &error) {
  fmt::print(stderr, "culprit: error: {}\n", one_line(error.what));
  if (!error.hint.empty())
    fmt::print(stderr, "  {}\n", one_line(error.hint));
  return kCannot;
}

} // namespace culprit::cli
