// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Badges for a meeting: each argument is a name that is split into letters in a local buffer,
// beside the one for the initials. A long name runs from one into the other.
#include <cctype>
#include <cstdio>
#include <cstring>

namespace {

struct Badge {
  char shown[64];
  unsigned letters;
};

unsigned compose(Badge &badge, const char *name) {
  char initials[24] = "";
  char upper[16] = "";
  unsigned used = 0, i = 0;
  for (; name[i]; ++i) {
    if (i == 0 || name[i - 1] == '.')
      initials[used++ % 23] = name[i];
    upper[i] = static_cast<char>(std::toupper(name[i])); // culprit: first corruption
  }
  std::snprintf(badge.shown, sizeof badge.shown, "%.16s (%.23s)", upper, initials);
  badge.letters = i;
  return used;
}

} // namespace

int main(int argc, char **argv) {
  unsigned parts = 0;
  for (int i = 1; i < argc; ++i) {
    Badge badge;
    parts += compose(badge, argv[i]);
    std::printf("%s %u\n", badge.shown, badge.letters);
  }
  std::printf("%u parts\n", parts);
  return 0;
}
