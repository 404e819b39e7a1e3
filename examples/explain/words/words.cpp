// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Off by one at the end of a text, in C++. Words are counted; the last one, which no blank follows,
// is cut short.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

namespace {

std::map<std::string, int> count(const std::string &text) {
  std::map<std::string, int> counts;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find(' ', begin);
    if (end == std::string::npos)
      end = text.size() - 1; // culprit: cause end
    if (end > begin)
      ++counts[text.substr(begin, end - begin)];
    begin = end + 1;
  }
  return counts;
}

} // namespace

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  std::string best;
  int most = 0;
  for (const auto &[word, times] : count(text))
    if (times > most) {
      best = word;
      most = times;
    }
  std::printf("%s: %d\n", best.c_str(), most);
  return 0;
}
