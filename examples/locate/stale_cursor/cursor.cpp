// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a list of widths and a cursor in it: "add WIDTH", "go" to the next, "show" where the
// cursor's column begins on a ruler. The cursor is an iterator, and the list grows.
#include <iostream>
#include <string>
#include <vector>

static char ruler[4096];

static int indent(int width, int times) {
  const int padded = width + 2;
  return padded * times;
}

int main() {
  std::vector<int> widths{3, 7};
  auto cursor = widths.begin();
  std::string word;
  while (std::cin >> word) {
    if (word == "add") {
      int width = 0;
      std::cin >> width;
      widths.push_back(width); // culprit: first corruption
    } else if (word == "go") {
      ++cursor;
    } else {
      const int column = indent(*cursor, 2) * 3;
      ruler[column] = '^';
      std::cout << column << '\n';
    }
  }
}
