// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions by number; those that are too old are erased in the loop that goes over them.
#include <cstdio>
#include <iostream>
#include <map>
#include <string>

int main() {
  std::map<int, std::string> sessions;
  std::string name;
  int age = 0;
  while (std::cin >> age >> name)
    sessions[age] = name;
  unsigned closed = 0;
  for (auto it = sessions.begin(); it != sessions.end(); ++it)
    if (it->first > 30) {
      sessions.erase(it); // culprit: first corruption
      ++closed;
    }
  std::printf("%u closed, %zu open\n", closed, sessions.size());
  return 0;
}
