// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A global table runs over into the index behind it, by a loop; the index is set again before use.
#include <stdio.h>

static int totals[5];
static unsigned current;
static int scores[4];

static void clear(int count) {
  for (int i = 0; i < count; ++i)
    totals[i] = i; // culprit: first corruption
}

int main(int argc, char **argv) {
  (void)argv;
  clear(argc + 5);
  current = 2;
  scores[current] = 7;
  printf("%d %d\n", totals[2], scores[current]);
  return 0;
}
