// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weighs names: every letter counts by its place in the alphabet. Of a long name only the end is
// looked at, and that is the text of a string that is gone.
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

static int seats[4000];

static int weight(std::string_view name) {
  int sum = 0;
  for (const char letter : name)
    if (letter != '-')
      sum += letter - 'a';
  return sum;
}

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    auto name = std::make_unique<std::string>(line);
    std::string_view shown = *name;
    if (name->size() > 40) {
      shown = shown.substr(shown.size() - 20);
      name.reset(); // culprit: first corruption
    }
    const int all = weight(shown);
    const int seat = all * all * all;
    seats[seat] = 1;
    std::cout << "seat " << seat << '\n';
  }
}
