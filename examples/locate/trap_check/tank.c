// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Levels of a tank, one for each hour. The program checks its own counter before it uses it and
// stops by a trap, as firmware does. The table of levels has one element less than a day has hours.
#include <stdio.h>
#include <stdlib.h>

enum { kHours = 23 }; // culprit: the error

struct day {
  int level[kHours];
  unsigned count;
};

static struct day today;

static void note(unsigned hour, int level) {
  today.level[hour] = level; // culprit: first corruption
  if (today.count < 24)
    ++today.count;
}

static int mean(void) {
  if (today.count > 24)
    __builtin_trap();
  long sum = 0;
  for (unsigned i = 0; i < today.count && i < kHours; ++i)
    sum += today.level[i];
  return today.count ? (int)(sum / today.count) : 0;
}

int main(int argc, char **argv) {
  unsigned hours = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  for (unsigned hour = 0; hour < hours; ++hour)
    note(hour, 900 + (int)hour);
  printf("%u hours, mean %d\n", hours, mean());
  return 0;
}
