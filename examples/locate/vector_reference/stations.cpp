// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stations of a line. A reference to the first one is kept while others are added.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct Station {
  std::string name;
  unsigned trains = 0;
};

} // namespace

int main() {
  std::vector<Station> stations;
  std::string word;
  stations.push_back({"start", 0});
  Station &first = stations.front();
  while (std::cin >> word) {
    stations.push_back({word, 1}); // culprit: first corruption
    first.trains += 1;
    first.name += word; // culprit: also right
  }
  std::size_t letters = 0;
  for (const Station &station : stations)
    letters += station.name.size();
  std::printf("%zu stations, %zu letters\n", stations.size(), letters);
  return 0;
}
