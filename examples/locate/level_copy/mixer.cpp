// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mixer has six taps and a level to show. How many taps are loaded depends on the input, and not
// on how many there are: the last ones run over the pointer to the level.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Level {
  int gain;
  const char *name;
};

const Level plain{3, "plain"};

struct Mixer {
  std::array<int, 6> taps;
  const Level *level;
};

void load(std::array<int, 6> &taps, const std::vector<int> &from) {
  std::copy(from.begin(), from.end(), taps.begin()); // culprit: first corruption
}

int sum(const Mixer &mixer) {
  int all = 0;
  for (const int tap : mixer.taps)
    all += tap;
  return all * mixer.level->gain;
}

} // namespace

int main(int argc, char **argv) {
  Mixer mixer{{}, &plain};
  std::vector<int> given;
  for (int i = 1; i < argc; ++i)
    given.push_back(std::atoi(argv[i]));
  load(mixer.taps, given);
  const int all = sum(mixer);
  std::printf("%d %s\n", all, mixer.level->name);
  return 0;
}
