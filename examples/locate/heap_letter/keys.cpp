// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A choir: NAME=VOICE for each singer. Singers are found by their first letter, in a table on the
// heap that has a place for each letter; those of UTF-8 beyond ASCII are negative.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Singer {
  std::string name;
  std::string voice;
  int next; // with the same first letter; -1: none
};

class Choir {
public:
  Choir() : first_(new int[128]) {
    for (int i = 0; i < 128; ++i)
      first_[i] = -1;
  }
  ~Choir() { delete[] first_; }

  void add(const std::string &name, const std::string &voice) {
    const int letter = name[0];
    const int number = static_cast<int>(singers_.size());
    singers_.push_back({name, voice, letter > 0 ? first_[letter] : -1});
    first_[letter] = number; // culprit: first corruption
  }

  int count(const char *voice) const {
    int sum = 0;
    for (const Singer &singer : singers_)
      sum += singer.voice == voice;
    return sum;
  }

private:
  std::vector<Singer> singers_;
  int *first_;
};

} // namespace

int main(int argc, char **argv) {
  Choir choir;
  for (int i = 1; i < argc; ++i)
    if (const char *voice = std::strchr(argv[i], '='))
      choir.add(std::string(argv[i], static_cast<size_t>(voice - argv[i])), voice + 1);
  std::printf("%d altos of %d\n", choir.count("alto"), argc - 1);
}
