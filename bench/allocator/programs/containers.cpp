// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Standard containers: map, unordered_map, list, string, vector, shared_ptr, filled, searched,
// thinned out.
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

int main(int argc, char **argv) {
  long rounds = argc > 1 ? std::atol(argv[1]) : 30;
  unsigned long total = 0;
  for (long round = 0; round < rounds; ++round) {
    std::map<long, std::string> ordered;
    std::unordered_map<std::string, long> hashed;
    std::list<std::shared_ptr<std::vector<int>>> items;
    unsigned random = static_cast<unsigned>(round) + 1;
    for (int i = 0; i < 40000; ++i) {
      random = random * 1664525 + 1013904223;
      long key = random >> 12;
      std::string text = "key number " + std::to_string(key) + " of this round";
      ordered[key] = text;
      hashed[text] += key;
      if (i % 3 == 0)
        items.push_back(std::make_shared<std::vector<int>>(random >> 26, i));
      if (i % 5 == 0 && !ordered.empty())
        ordered.erase(ordered.begin());
    }
    for (auto it = items.begin(); it != items.end();)
      it = (*it)->size() % 2 ? items.erase(it) : std::next(it);
    total += ordered.size() + hashed.size() + items.size();
  }
  std::printf("%lu\n", total);
}
